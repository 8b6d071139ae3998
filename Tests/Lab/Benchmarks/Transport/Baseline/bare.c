// Bare libcurl: the same requests without anything around them. `bare easy URL COUNT` sends them one after another by
// curl_easy_perform(), `bare multi URL COUNT WIDTH` keeps WIDTH of them in flight. Prints nanoseconds a request,
// of the wall clock and of the processor.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char body[] =
    "{\"email\":\"ada@example.com\",\"password\":\"correct horse battery staple\",\"returnSecureToken\":true,\"pad\":\"0123456789\"}";

typedef struct {
    size_t size;
    char bytes[4096];
} answer;

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    answer *a = context;
    size_t n = size * count;
    if (a->size + n > sizeof a->bytes) return 0;
    memcpy(a->bytes + a->size, bytes, n);
    a->size += n;
    return n;
}

static CURL *make(const char *url, struct curl_slist *fields, answer *a) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)strlen(body));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, a);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, a);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 30000L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    return easy;
}

typedef struct {
    double wall, processor;
} moment;

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static moment now(void) { return (moment){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)}; }

static void tell(moment start, long count) {
    moment end = now();
    printf("%.0f %.0f\n", (end.wall - start.wall) / (double)count, (end.processor - start.processor) / (double)count);
}

static int fail(const char *what) {
    fprintf(stderr, "%s failed\n", what);
    return 1;
}

static int run_easy(const char *url, struct curl_slist *fields, long count) {
    answer a = {0};
    CURL *easy = make(url, fields, &a);
    moment start = {0};
    for (long i = -200; i < count; i++) {
        if (i == 0) start = now();
        a.size = 0;
        if (curl_easy_perform(easy) != CURLE_OK || a.size < 700) return fail("easy");
    }
    tell(start, count);
    return 0;
}

static int run_multi(const char *url, struct curl_slist *fields, long count, long width) {
    CURLM *multi = curl_multi_init();
    for (long i = 0; i < width; i++) curl_multi_add_handle(multi, make(url, fields, calloc(1, sizeof(answer))));
    moment start = {0};
    long warm = width * 20, done = 0, sent = width;
    while (done < warm + count) {
        int running;
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        int left;
        while ((message = curl_multi_info_read(multi, &left))) {
            CURL *easy = message->easy_handle;
            answer *a;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, &a);
            if (message->data.result != CURLE_OK || a->size < 700) return fail("multi");
            a->size = 0;
            if (++done == warm) start = now();
            curl_multi_remove_handle(multi, easy);
            if (sent++ < warm + count) curl_multi_add_handle(multi, easy);
        }
        if (done < warm + count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    tell(start, count);
    return 0;
}

int main(int count, char **words) {
    if (count < 4) return fail("usage");
    struct curl_slist *fields = NULL;
    fields = curl_slist_append(fields, "apikey: 0123456789abcdef0123456789abcdef");
    fields = curl_slist_append(fields, "Authorization: Bearer 0123456789abcdef0123456789abcdef");
    fields = curl_slist_append(fields, "Content-Type: application/json");
    if (!strcmp(words[1], "easy")) return run_easy(words[2], fields, atol(words[3]));
    return run_multi(words[2], fields, atol(words[3]), count > 4 ? atol(words[4]) : 64);
}
