/* A main for a target without libFuzzer: runs it on each file that is named. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int count, char **paths)
{
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(paths[i], "rb");
        if (!file || fseek(file, 0, SEEK_END) != 0) {
            perror(paths[i]);
            return 1;
        }
        size_t size = (size_t)ftell(file);
        uint8_t *data = malloc(size + 1);
        rewind(file);
        if (!data || fread(data, 1, size, file) != size) {
            perror(paths[i]);
            return 1;
        }
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    printf("%d files\n", count - 1);
    return 0;
}
