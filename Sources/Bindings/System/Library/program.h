// A program that replaces this one, with a guard process between both on Linux. Part of shim.h.
#ifndef LOCKSTEP_SYSTEM_PROGRAM_H
#define LOCKSTEP_SYSTEM_PROGRAM_H

static inline int lockstep_close_in_programs(int descriptor) { return fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

#if !defined(__APPLE__) || TARGET_OS_OSX || TARGET_OS_IOS
#if defined(__linux__)
extern int execvpe(const char *program, char *const *arguments, char *const *variables);

static inline void lockstep_exec(char *const *arguments, char *const *variables) { execvpe(arguments[0], arguments, variables); }
#else
static inline void lockstep_exec(char *const *arguments, char *const *variables) {
    *_NSGetEnviron() = (char **)variables;
    execvp(arguments[0], arguments);
}
#endif

// The message of the new processes in a pipe: the process id of the program, or the reason why it was not started.
struct lockstep_start_report {
    int code;
    pid_t id;
};

// Becomes the program; returns only if that fails. Between fork() and exec(), it makes only calls that are safe in a copy of a
// process with threads.
static inline void lockstep_become_program(char *const *arguments, char *const *variables, unsigned long long core_dump) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) == 0) {
        limit.rlim_cur = (rlim_t)core_dump < limit.rlim_max ? (rlim_t)core_dump : limit.rlim_max;
        setrlimit(RLIMIT_CORE, &limit);
    }
    signal(SIGPIPE, SIG_DFL);
    const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    for (size_t index = 0; index < sizeof caught / sizeof *caught; index++) {
        struct sigaction action;
        // A signal that this process has ignored since its start stays ignored, as under nohup.
        if (sigaction(caught[index], NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(caught[index], SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    lockstep_exec(arguments, variables);
}

static inline void lockstep_report_start(int pipe, int code, pid_t id) {
    struct lockstep_start_report report = {code, id};
    while (write(pipe, &report, sizeof report) < 0 && errno == EINTR) { }
}

#if defined(__linux__)
// Kills all processes below this one. It is the parent of each process that has lost its own parent (PR_SET_CHILD_SUBREAPER).
static inline void lockstep_kill_descendants(pid_t first) {
    char path[64], list[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    kill(first, SIGKILL);
    while (1) {
        int file = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t count = file < 0 ? 0 : read(file, list, sizeof list - 1);
        if (file >= 0) close(file);
        list[count < 0 ? 0 : count] = 0;
        for (char *rest = list; *rest;) {
            char *end;
            long id = strtol(rest, &end, 10);
            // The last number may be incomplete; the next round reads the whole number.
            if (end == rest || *end == 0) break;
            kill((pid_t)id, SIGKILL);
            rest = end;
        }
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) { }
        if (ended < 0 && errno == ECHILD) return;
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
}

// Waits for the program in a process between this one and the program. If this process is killed, all processes of the program
// are killed, and the file is removed.
static inline void lockstep_guard_program(pid_t program, pid_t parent, const char *file) {
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    while (1) {
        if (getppid() != parent) {
            lockstep_kill_descendants(program);
            unlink(file);
            _exit(137);
        }
        int status;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0) if (ended == program) _exit(lockstep_exit_status(status));
        sigwaitinfo(&awaited, NULL);
    }
}
#endif

// Starts a program with the streams, the terminal and the process group of this process, and with this limit of core dumps; 0, or an errno.
//
// `child` is the process to wait for: the program, or on Linux a guard that ends with the program's exit status. The caller's
// thread must not end before it, because the system then reports to the guard that this process has ended.
static inline int lockstep_start_program(
    pid_t *child, pid_t *program, char *const *arguments, char *const *variables, const char *file,
    unsigned long long core_dump) {
    int ends[2];
    if (lockstep_pipe(ends) != 0) return errno;
    pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    // No handler of this process may run in a new process.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t id = fork();
    if (id == 0) {
#if defined(__linux__)
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) _exit(127);
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        signal(SIGCHLD, SIG_DFL);
        pid_t guard = getpid();
        id = fork();
        if (id != 0) {
            lockstep_report_start(ends[1], id < 0 ? errno : 0, id);
            if (id < 0) _exit(127);
            for (int number = 3, limit = getdtablesize(); number < limit; number++) close(number);
            lockstep_guard_program(id, parent, file);
        }
        // If the guard is killed, no process would end the program.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != guard) _exit(127);
#else
        lockstep_report_start(ends[1], 0, getpid());
        (void)file;
#endif
        lockstep_become_program(arguments, variables, core_dump);
        lockstep_report_start(ends[1], errno, 0);
        _exit(127);
    }
    int code = id < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (id > 0) {
        struct lockstep_start_report report;
        ssize_t count;
        // The pipe ends when the program has started, because exec() closes it.
        while ((count = read(ends[0], &report, sizeof report)) != 0) {
            if (count < 0 && errno == EINTR) continue;
            if (count != (ssize_t)sizeof report) break;
            if (report.code != 0) code = report.code; else *program = report.id;
        }
        if (code != 0) while (waitpid(id, NULL, 0) < 0 && errno == EINTR) { }
        *child = id;
    }
    close(ends[0]);
    return code;
}
#endif

#endif
