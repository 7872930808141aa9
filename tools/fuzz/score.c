/* A libFuzzer target: the numbers of TREC files, against glibc and regular expressions.
 *
 * A score must be accepted where Python's float() accepts it, but for infinity, NaN and
 * underscores, and be strtod's double to the last bit; a label likewise, by strtoll. An input is
 * a token; and its first nine bytes are a number of digits and a double, which are written out,
 * with the middle between it and the next double, as the hardest tokens to round.
 */
#include "trec.h"

#include <errno.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>

#define SCORE "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$"
#define LABEL "^[+-]?[0-9]+$"

static bool is_like(const char *text, const char *pattern, regex_t *compiled)
{
    if (!compiled->buffer && regcomp(compiled, pattern, REG_EXTENDED) != 0)
        abort();
    return regexec(compiled, text, 0, NULL, 0) == 0;
}

static void differ(const char *text, const char *what)
{
    fprintf(stderr, "%s differs: %s\n", what, text);
    abort();
}

static void check_score(token t, const char *text)
{
    static regex_t score;
    locale_t c_locale = (locale_t)0;
    double expected = strtod(text, NULL), found;
    bool accepted = read_score(t, &c_locale, &found);
    if (accepted != (is_like(text, SCORE, &score) && expected - expected == 0))
        differ(text, "what is a score");
    if (accepted && memcmp(&found, &expected, sizeof found) != 0)
        differ(text, "a score");
    if (c_locale)
        freelocale(c_locale);
}

static void check_label(token t, const char *text)
{
    static regex_t label;
    int64_t found;
    errno = 0;
    long long expected = strtoll(text, NULL, 10);
    bool accepted = read_label(t, &found);
    if (accepted != (is_like(text, LABEL, &label) && errno == 0))
        differ(text, "what is a label");
    if (accepted && found != expected)
        differ(text, "a label");
}

/* Both readings of a token that is the last of a file. */
static void check_token(const char *bytes, size_t size)
{
    char *text = malloc(size + 1), *file = malloc(size + 1 + RS_PADDING);
    if (!text || !file)
        abort();
    memcpy(text, bytes, size);
    memcpy(file, bytes, size);
    text[size] = 0;
    memset(file + size, '9', 1 + RS_PADDING);
    file[size] = '\n';
    token t = {file, file + size};
    if (token_end(file) != t.end)
        differ(text, "a token");
    check_score(t, text);
    check_label(t, text);
    free(text);
    free(file);
}

static void check_written(double x, int digits)
{
    char text[400];
    if (x - x != 0)
        return;
    double next = nextafter(x, INFINITY);
    long double middle = ((long double)x + next) / 2;
    check_token(text, (size_t)snprintf(text, sizeof text, "%.*e", digits, x));
    check_token(text, (size_t)snprintf(text, sizeof text, "%.17g", x));
    if (fabs(x) < 1e30)
        check_token(text, (size_t)snprintf(text, sizeof text, "%.*f", digits, x));
    if (next - next == 0)
        check_token(text, (size_t)snprintf(text, sizeof text, "%.*Le", digits, middle));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length = 0;
    while (length < size && data[length] && data[length] != '\n' && !is_blank((char)data[length]))
        length++;
    if (length)
        check_token((const char *)data, length);
    if (size >= 9) {
        double x;
        memcpy(&x, data + 1, sizeof x);
        check_written(x, data[0]);
        check_written((double)(float)x, data[0] % 32);
        check_written(fmod(trunc(x), 1000000007) / 1e6, data[0] % 32);
    }
    return 0;
}
