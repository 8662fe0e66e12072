/*
 * The floors of `minikafka bench floor` once more, without Java: to show that plain NIO costs next
 * to nothing, and that a ratio to them is one to the machine.
 *
 *   gcc -O2 -Wall -Wextra -pthread -o target/floor src/bench/c/floor.c
 *   sync && target/floor DIRECTORY
 *
 * DIRECTORY lies on the file system that is to be measured. Each point is measured REPS times for
 * SECONDS each; the best of them is printed, because whatever disturbs a floor makes it lower. The
 * lines are CSV: the point in the words of `bench floor`, MB/s, and of points that are measured
 * turn by turn the p50 and p99 of one turn in microseconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  REPS = 5,
  ANSWER_BYTES = 8,
  SOCKET_BUFFER_BYTES = 4 << 20,
  MAX_TURNS = 1 << 20
};

static const double SECONDS = 0.5;
static const double WARM_UP_SECONDS = 0.3;
static const int64_t MAX_BYTES = 512000000; /* of one repetition, as `bench floor` has it */
static const int64_t SOURCE_BYTES = 256 << 20;

static int data_file;
static double turns_us[MAX_TURNS];

static void fail(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec + at.tv_nsec / 1e9;
}

static char *filled(size_t bytes) {
  char *buffer = malloc(bytes);
  if (buffer == NULL) fail("malloc");
  uint32_t next = 20260926;
  for (size_t i = 0; i < bytes; i++) {
    next = next * 1664525 + 1013904223; /* bytes that do not compress */
    buffer[i] = (char)(next >> 24);
  }
  return buffer;
}

/* 0 when the other end has closed. */
static int read_all(int from, char *buffer, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t n = read(from, buffer + done, bytes - done);
    if (n < 0 && errno != ECONNRESET) fail("read");
    if (n <= 0) return 0;
    done += n;
  }
  return 1;
}

static void write_all(int to, const char *buffer, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t n = write(to, buffer + done, bytes - done);
    if (n < 0) fail("write");
    done += n;
  }
}

static void write_file(int64_t position, const char *buffer, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t n = pwrite(data_file, buffer + done, bytes - done, position + done);
    if (n < 0) fail("pwrite");
    done += n;
  }
}

static void set_up(int socket) {
  int bytes = SOCKET_BUFFER_BYTES, on = 1;
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* The server's end: one thread, one connection. */

typedef struct {
  int listener;
  size_t bytes;
  void (*serve)(int connection, size_t bytes);
} service;

static int64_t write_position; /* set back by the client while no frame is under way */

static void serve_sink(int connection, size_t bytes) {
  char *frame = malloc(bytes);
  char answer[ANSWER_BYTES] = {0};
  while (read_all(connection, frame, bytes)) {
    write_file(write_position, frame, bytes);
    write_position += bytes;
    write_all(connection, answer, sizeof answer);
  }
  free(frame);
}

static void serve_source(int connection, size_t bytes) {
  int64_t question;
  while (read_all(connection, (char *)&question, sizeof question)) {
    off_t at = question;
    for (size_t left = bytes; left > 0;) {
      ssize_t n = sendfile(connection, data_file, &at, left);
      if (n <= 0) fail("sendfile");
      left -= n;
    }
  }
}

static void serve_ping(int connection, size_t bytes) {
  char *frame = malloc(bytes);
  while (read_all(connection, frame, bytes)) write_all(connection, frame, bytes);
  free(frame);
}

static void *run_service(void *argument) {
  service *what = argument;
  int connection = accept(what->listener, NULL, NULL);
  if (connection < 0) fail("accept");
  set_up(connection);
  what->serve(connection, what->bytes);
  close(connection);
  return NULL;
}

/* The client's end: what one repetition does. All return MB/s of frames. */

static int channel;
static int turns;

static int goes_on(double began, double seconds, int64_t bytes) {
  return bytes == 0 || (now() - began < seconds && bytes < MAX_BYTES);
}

static double sink(char *frame, size_t bytes, int window, double seconds) {
  char answer[ANSWER_BYTES];
  int64_t sent = 0;
  int waiting = 0;
  if (ftruncate(data_file, 0) != 0) fail("ftruncate");
  write_position = 0;
  double began = now();
  for (; goes_on(began, seconds, sent); sent += bytes) {
    if (waiting == window) {
      read_all(channel, answer, sizeof answer);
      waiting--;
    }
    write_all(channel, frame, bytes);
    waiting++;
  }
  for (; waiting > 0; waiting--) read_all(channel, answer, sizeof answer);
  return sent / (now() - began) / 1e6;
}

static double source(char *frame, size_t bytes, int window, double seconds) {
  (void)window;
  int64_t got = 0, position = 0;
  double began = now();
  for (; goes_on(began, seconds, got); got += bytes) {
    write_all(channel, (char *)&position, sizeof position);
    read_all(channel, frame, bytes);
    position += bytes;
    if (position + (int64_t)bytes > SOURCE_BYTES) position = 0;
  }
  return got / (now() - began) / 1e6;
}

static double each_turn(char *frame, size_t bytes, double seconds, int is_ping) {
  int64_t done = 0;
  double began = now(), before = began;
  if (!is_ping && ftruncate(data_file, 0) != 0) fail("ftruncate");
  for (; goes_on(began, seconds, done); done += bytes) {
    if (is_ping) {
      write_all(channel, frame, bytes);
      read_all(channel, frame, bytes);
    } else {
      write_file(done, frame, bytes);
      if (fdatasync(data_file) != 0) fail("fdatasync");
    }
    double at = now();
    if (turns < MAX_TURNS) turns_us[turns++] = (at - before) * 1e6;
    before = at;
  }
  return done / (before - began) / 1e6;
}

static double ping(char *frame, size_t bytes, int window, double seconds) {
  (void)window;
  return each_turn(frame, bytes, seconds, 1);
}

static double write_and_fsync(char *frame, size_t bytes, int window, double seconds) {
  (void)window;
  return each_turn(frame, bytes, seconds, 0);
}

typedef double (*repetition)(char *frame, size_t bytes, int window, double seconds);

static int by_size(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return difference < 0 ? -1 : difference > 0;
}

static void measure(
    const char *words, repetition run, void (*serve)(int, size_t), size_t bytes, int window) {
  service what = {-1, bytes, serve};
  pthread_t thread;
  if (serve != NULL) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof at;
    what.listener = socket(AF_INET, SOCK_STREAM, 0);
    set_up(what.listener);
    if (bind(what.listener, (struct sockaddr *)&at, length) != 0) fail("bind");
    if (listen(what.listener, 1) != 0) fail("listen");
    getsockname(what.listener, (struct sockaddr *)&at, &length);
    pthread_create(&thread, NULL, run_service, &what);
    channel = socket(AF_INET, SOCK_STREAM, 0);
    set_up(channel);
    if (connect(channel, (struct sockaddr *)&at, length) != 0) fail("connect");
  }
  char *frame = filled(bytes);
  double best = 0;
  run(frame, bytes, window, WARM_UP_SECONDS);
  turns = 0;
  for (int rep = 0; rep < REPS; rep++) {
    double rate = run(frame, bytes, window, SECONDS);
    if (rate > best) best = rate;
  }
  printf(words, (int)bytes, window);
  printf(",%.5g", best);
  if (turns > 0) {
    qsort(turns_us, turns, sizeof *turns_us, by_size);
    printf(",%.4g,%.4g", turns_us[turns / 2], turns_us[(int)(turns * 0.99)]);
  } else {
    printf(",,");
  }
  printf("\n");
  fflush(stdout);
  free(frame);
  if (serve != NULL) {
    close(channel);
    pthread_join(thread, NULL);
    close(what.listener);
  }
}

int main(int count, char **arguments) {
  char path[4096];
  if (count != 2) {
    fprintf(stderr, "usage: floor DIRECTORY\n");
    return 2;
  }
  snprintf(path, sizeof path, "%s/floor-XXXXXX", arguments[1]);
  data_file = mkstemp(path);
  if (data_file < 0) fail(arguments[1]);
  unlink(path);

  static const int SINKS[][2] = {
      {128, 1}, {128, 64}, {128000, 1}, {128000, 5}, {1000000, 1}, {1000000, 5}};
  static const int SOURCES[] = {4 << 10, 64 << 10, 1 << 20, 4 << 20};
  static const int FORCED[] = {128, 128000, 1000000};
  printf("floor,mb_per_s,p50_us,p99_us\n");
  for (size_t i = 0; i < sizeof SINKS / sizeof *SINKS; i++) {
    measure("\"sink of %d B, %d in flight\"", sink, serve_sink, SINKS[i][0], SINKS[i][1]);
  }
  char *content = filled(1 << 20);
  for (int64_t at = 0; at < SOURCE_BYTES; at += 1 << 20) write_file(at, content, 1 << 20);
  free(content);
  for (size_t i = 0; i < sizeof SOURCES / sizeof *SOURCES; i++) {
    measure("source of %d B", source, serve_source, SOURCES[i], 1);
  }
  measure("ping of %d B", ping, serve_ping, 128, 1);
  for (size_t i = 0; i < sizeof FORCED / sizeof *FORCED; i++) {
    measure("write and fsync of %d B", write_and_fsync, NULL, FORCED[i], 1);
  }
  return 0;
}
