"""cgroup.py: a memory cap that counts the page cache, and what a server used: CPU, I/O, memory. cgroup v1 and v2."""
import os
import pathlib
import time

TICK = os.sysconf("SC_CLK_TCK")


class Cgroup:
    """Where none can be made (no root, a read-only hierarchy), `why_not` says so and everything else goes on without a cap."""

    def __init__(self, name: str, memory_bytes: int):
        self.folders, self.version, self.why_not = {}, 0, ""
        try:
            self._make(name, memory_bytes)
        except OSError as error:
            self.remove()
            self.folders, self.why_not = {}, f"no memory cap: {error}"

    def _make(self, name: str, memory_bytes: int):
        v1, v2 = {}, None
        for line in pathlib.Path("/proc/mounts").read_text().splitlines():
            _, path, kind, options = line.split()[:4]
            if kind == "cgroup":
                v1.update({c: pathlib.Path(path) for c in ("memory", "cpuacct") if c in options.split(",")})
            elif kind == "cgroup2":
                v2 = pathlib.Path(path)
        self.version = 1 if "memory" in v1 else 2
        roots = v1 if self.version == 1 else {"memory": v2, "cpuacct": v2}
        if None in roots.values():
            raise OSError("no cgroup hierarchy is mounted")
        for controller, root in roots.items():
            self.folders[controller] = root / name
            self.folders[controller].mkdir(exist_ok=True)
        memory = self.folders["memory"]
        if self.version == 1:
            (memory / "memory.limit_in_bytes").write_text(str(memory_bytes))
            (memory / "memory.swappiness").write_text("0")
        else:
            (memory / "memory.max").write_text(str(memory_bytes))
            if (memory / "memory.swap.max").exists():
                (memory / "memory.swap.max").write_text("0")

    @property
    def prefix(self) -> list:
        """Words before a command, so that it runs inside."""
        if not self.folders:
            return []
        joins = " ".join(f"echo $$ >{folder}/cgroup.procs;" for folder in set(self.folders.values()))
        return ["sh", "-c", joins + ' exec "$@"', "sh"]

    def _numbers(self, controller: str, file: str) -> dict:
        try:
            lines = (self.folders[controller] / file).read_text().splitlines()
        except (OSError, KeyError):
            return {}
        return {line.split()[0]: int(line.split()[1]) for line in lines if len(line.split()) == 2}

    def memory(self) -> dict:
        """Bytes of anonymous and shared memory, of page cache."""
        stat = self._numbers("memory", "memory.stat")
        names = ("total_rss", "total_shmem", "total_cache") if self.version == 1 else ("anon", "shmem", "file")
        anonymous, shared, cache = (stat.get(name, 0) for name in names)
        return {"own": anonymous + shared, "page_cache": cache - shared}

    def oom_kills(self) -> int:
        file = "memory.oom_control" if self.version == 1 else "memory.events"
        return self._numbers("memory", file).get("oom_kill", 0)

    def remove(self):
        for folder in set(self.folders.values()):
            for _ in range(50):
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.1)  # its last process is still going


def tree(pid: int) -> list:
    """The process and all its living descendants."""
    children = {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(folder.name))
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def usage(pid: int) -> dict:
    """CPU seconds, bytes read from and written to storage, resident bytes; Linux adds reaped children to their parents."""
    total = {"cpu": 0.0, "read": 0, "written": 0, "resident": 0}
    shared = 0
    for process in tree(pid):
        try:
            times = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total["cpu"] += sum(map(int, times[11:15])) / TICK
            io = dict(line.split(": ") for line in pathlib.Path(f"/proc/{process}/io").read_text().splitlines())
            total["read"] += int(io["read_bytes"])
            total["written"] += int(io["write_bytes"]) - int(io["cancelled_write_bytes"])
            status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines() if ":" in line)
            total["resident"] += int(status["RssAnon"].split()[0]) * 1024
            shared = max(shared, int(status["RssShmem"].split()[0]) * 1024)
        except (OSError, KeyError):
            continue
    total["resident"] += shared
    return total


def folder_bytes(folder) -> int:
    """Allocated bytes, as du counts them."""
    total = 0
    for root, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(root, name)).st_blocks * 512
            except OSError:
                pass
    return total
