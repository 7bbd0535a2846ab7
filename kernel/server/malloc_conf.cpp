// malloc_conf.cpp — jemalloc's settings: give memory back soon, and few arenas, so that an idle
// server is small. Read by the library when it starts; MALLOC_CONF in the environment goes on top.
// Source: jemalloc(3), "TUNING".

extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "narenas:4,dirty_decay_ms:2000,muzzy_decay_ms:0,background_thread:true";
}
