/* launch FILE PROGRAM ARGUMENTS...: run a program; write its wall seconds, CPU seconds and peak
 * resident set in KiB to FILE. A child of a large process is born with that process's peak; this
 * one is small. */

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    struct timespec begin, end;
    struct rusage used;
    int status;

    if (argc < 3)
        return 2;
    FILE *file = fopen(argv[1], "w");
    if (file == NULL)
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) < 0)
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    fprintf(file, "%.6f %.6f %ld\n",
            (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9,
            seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
    fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
