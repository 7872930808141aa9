/* As much of JSON as the cases need: a program of one's own has a library for this. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value: text for strings and for numbers as they are written, members for lists and objects. */
typedef struct json {
    char kind; /* one of n t f 0 " [ { */
    char *text, *name;
    struct json *members;
    int64_t n;
} json;

static const char *json_blanks(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static void json_utf8(char **to, uint32_t c)
{
    char *p = *to;
    if (c < 0x80) {
        *p++ = (char)c;
    } else if (c < 0x800) {
        *p++ = (char)(0xc0 | c >> 6), *p++ = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        *p++ = (char)(0xe0 | c >> 12), *p++ = (char)(0x80 | (c >> 6 & 63));
        *p++ = (char)(0x80 | (c & 63));
    } else {
        *p++ = (char)(0xf0 | c >> 18), *p++ = (char)(0x80 | (c >> 12 & 63));
        *p++ = (char)(0x80 | (c >> 6 & 63)), *p++ = (char)(0x80 | (c & 63));
    }
    *to = p;
}

static uint32_t json_unit(const char *s)
{
    char digits[5] = {0};
    strncpy(digits, s, 4);
    return (uint32_t)strtoul(digits, NULL, 16);
}

/* A string; s is behind its first quotation mark. Returns what follows. */
static const char *json_string(const char *s, char **text)
{
    char *to = *text = malloc(strlen(s) + 1);
    for (; *s && *s != '"'; s++) {
        if (*s != '\\') {
            *to++ = *s;
        } else if (*++s == 'u') {
            uint32_t c = json_unit(s + 1);
            s += 4;
            if (c >= 0xd800 && c < 0xdc00) {
                c = 0x10000 + ((c - 0xd800) << 10) + json_unit(s + 3) - 0xdc00;
                s += 6;
            }
            json_utf8(&to, c);
        } else {
            const char *at = strchr("b\bf\fn\nr\rt\t", *s);
            *to++ = at ? at[1] : *s;
        }
    }
    *to = 0;
    return *s ? s + 1 : s;
}

/* Reads a value; returns what follows, or NULL where there is none. */
static const char *json_read(const char *s, json *x)
{
    *x = (json){.kind = *(s = json_blanks(s))};
    if (*s == '"')
        return json_string(s + 1, &x->text);
    if (*s != '[' && *s != '{') {
        size_t n = strcspn(s, ",]} \t\r\n");
        x->text = strndup(s, n);
        x->kind = strchr("ntf", *s) ? *s : '0';
        return n ? s + n : NULL;
    }
    char end = *s == '[' ? ']' : '}';
    for (s = json_blanks(s + 1); s && *s != end; s = json_blanks(s + (*s == ','))) {
        x->members = realloc(x->members, (size_t)(x->n + 1) * sizeof(json));
        char *name = NULL;
        if (x->kind == '{') {
            s = json_blanks(json_string(s + 1, &name));
            if (*s++ != ':')
                return NULL;
        }
        s = json_read(s, &x->members[x->n]);
        x->members[x->n++].name = name;
        if (!s || !strchr(",]} \t\r\n", *s) || !*s)
            return NULL;
    }
    return s ? s + 1 : NULL;
}

static void json_free(json *x)
{
    for (int64_t i = 0; i < x->n; i++) {
        free(x->members[i].name);
        json_free(&x->members[i]);
    }
    free(x->members);
    free(x->text);
}

static const json *json_get(const json *x, const char *name)
{
    for (int64_t i = 0; x && x->kind == '{' && i < x->n; i++)
        if (strcmp(x->members[i].name, name) == 0)
            return &x->members[i];
    return NULL;
}

static bool json_is(const json *x, const char *name, const char *text)
{
    x = json_get(x, name);
    return x && x->text && strcmp(x->text, text) == 0;
}
