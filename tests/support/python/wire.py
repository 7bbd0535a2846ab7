"""wire.py: the PostgreSQL protocol 3.0 from the client's side, without a driver's opinions.

A driver hides what tests compare: type oids, command tags, every field of an error, the transaction status, the bytes of a
message. One Connection is one socket, blocking, with a timeout for every answer. Nothing here retries.
"""
import dataclasses
import socket
import struct


class Lost(Exception):
    """The connection ended, or no answer came in time."""


class SqlError(Exception):
    """An ErrorResponse, raised by run() and rows()."""

    def __init__(self, fields: dict):
        super().__init__(f"{fields.get('C')}: {fields.get('M')}")
        self.fields = fields
        self.state = fields.get("C", "")


@dataclasses.dataclass
class Result:
    """What one statement answered."""
    columns: list = None  # [(name, type oid)], None when there is no row description
    rows: list = dataclasses.field(default_factory=list)  # values as bytes or None
    tag: str = None
    error: dict = None
    notices: list = dataclasses.field(default_factory=list)
    copy_out: list = None
    suspended: bool = False


def message(kind: bytes, body: bytes = b"") -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


def cstring(text) -> bytes:
    return (text if isinstance(text, bytes) else text.encode()) + b"\0"


def startup(user: str, database: str, **options) -> bytes:
    pairs = {"user": user, "database": database, "client_encoding": "UTF8", **options}
    body = struct.pack("!i", 196608) + b"".join(cstring(k) + cstring(v) for k, v in pairs.items()) + b"\0"
    return struct.pack("!i", len(body) + 4) + body


def parse(sql, name="", types=()) -> bytes:
    return message(b"P", cstring(name) + cstring(sql) + struct.pack("!h", len(types)) + b"".join(struct.pack("!I", t) for t in types))


def bind(values=(), name="", portal="", binary_results=False) -> bytes:
    """Parameters are text; None is NULL."""
    body = cstring(portal) + cstring(name) + struct.pack("!hh", 0, len(values))
    for value in values:
        if value is None:
            body += struct.pack("!i", -1)
        else:
            data = value if isinstance(value, bytes) else str(value).encode()
            body += struct.pack("!i", len(data)) + data
    return message(b"B", body + struct.pack("!hh", 1, 1 if binary_results else 0))


def describe(kind: bytes, name="") -> bytes:
    return message(b"D", kind + cstring(name))


def execute(portal="", rows=0) -> bytes:
    return message(b"E", cstring(portal) + struct.pack("!i", rows))


def sync() -> bytes:
    return message(b"S")


def query(sql) -> bytes:
    return message(b"Q", cstring(sql))


def error_fields(body: bytes) -> dict:
    return {chr(part[0]): part[1:].decode("utf8", "replace") for part in body.split(b"\0") if part}


class Connection:
    def __init__(self, host: str, port: int, user: str, database: str, timeout: float = 30, **options):
        self.timeout = timeout
        self.status = ""  # I, T or E, as the last ReadyForQuery said
        self.parameters = {}
        self.process_id, self.secret = 0, b""
        self.notices = []
        self._buffer = bytearray()
        try:
            self.socket = socket.create_connection((host, port), timeout)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise Lost(str(error)) from error
        try:
            self.send(startup(user, database, **options))
            self._log_in()
        except BaseException:
            self.socket.close()
            raise

    # --- bytes ---
    def send(self, data: bytes):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Lost(str(error)) from error

    def receive(self) -> tuple:
        """The next message: (kind, body)."""
        head = self._take(5)
        length = int.from_bytes(head[1:], "big")
        if length < 4:
            raise Lost(f"a message of {length} bytes")
        return head[:1], self._take(length - 4)

    def _take(self, count: int) -> bytes:
        while len(self._buffer) < count:
            try:
                data = self.socket.recv(max(65536, count - len(self._buffer)))
            except OSError as error:
                raise Lost(str(error)) from error
            if not data:
                raise Lost("closed by the server")
            self._buffer += data
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _log_in(self):
        while True:
            kind, body = self.receive()
            if kind == b"E":
                raise SqlError(error_fields(body))
            if kind == b"K":
                self.process_id, self.secret = int.from_bytes(body[:4], "big"), body[4:]
            elif kind == b"R" and body != b"\0\0\0\0":
                raise Lost("the server wants a password")
            elif kind == b"Z":
                self.status = body.decode()
                return
            else:
                self._aside(kind, body)

    def _aside(self, kind: bytes, body: bytes):
        if kind == b"S":
            name, value, _ = body.split(b"\0", 2)
            self.parameters[name.decode()] = value.decode()
        elif kind == b"N":
            self.notices.append(error_fields(body))

    # --- statements ---
    def query(self, sql, copy_data=None) -> list:
        """A simple query: one Result for each statement answered. `copy_data` feeds COPY FROM STDIN."""
        self.send(query(sql))
        return self.answers(copy_data)

    def extended(self, sql, values=(), types=(), binary=False, copy_data=None) -> list:
        """Parse, bind, describe, execute, sync, unnamed."""
        self.send(parse(sql, types=types) + bind(values, binary_results=binary) + describe(b"P") + execute() + sync())
        return self.answers(copy_data)

    def run(self, sql, copy_data=None) -> Result:
        """query(), whose first error is raised; the last result."""
        results = self.query(sql, copy_data)
        for result in results:
            if result.error:
                raise SqlError(result.error)
        return results[-1] if results else Result()

    def rows(self, sql) -> list:
        """run(), and its rows as text."""
        return [tuple(None if v is None else v.decode() for v in row) for row in self.run(sql).rows]

    def value(self, sql):
        return self.rows(sql)[0][0]

    def answers(self, copy_data=None) -> list:
        """Everything up to ReadyForQuery."""
        results, current = [], Result()
        while True:
            kind, body = self.receive()
            if kind == b"Z":
                self.status = body.decode()
                if current.columns is not None or current.notices:
                    results.append(current)
                return results
            if kind == b"T":
                current.columns = _columns(body)
            elif kind == b"D":
                current.rows.append(_values(body))
            elif kind == b"N":
                current.notices.append(error_fields(body))
            elif kind == b"G":
                if copy_data is None:
                    self.send(message(b"f", cstring("no data for COPY")))
                else:
                    data = copy_data.encode() if isinstance(copy_data, str) else copy_data
                    self.send(b"".join(message(b"d", data[i:i + 65536]) for i in range(0, len(data), 65536)) + message(b"c"))
            elif kind == b"H":
                current.copy_out = []
            elif kind == b"d":
                current.copy_out.append(body)
            elif kind in (b"C", b"I", b"E", b"s"):
                if kind == b"C":
                    current.tag = body[:-1].decode()
                elif kind == b"I":
                    current.tag = ""
                elif kind == b"s":
                    current.suspended = True
                else:
                    current.error = error_fields(body)
                results.append(current)
                current = Result()
            elif kind in (b"1", b"2", b"3", b"n", b"t", b"c"):
                pass
            elif kind in (b"S", b"A"):
                self._aside(kind, body)
            else:
                raise Lost(f"a message of unknown kind {kind!r}")

    def cancel(self):
        """A CancelRequest, on a connection of its own."""
        host, port = self.socket.getpeername()[:2]
        with socket.create_connection((host, port), self.timeout) as other:
            body = struct.pack("!ii", 80877102, self.process_id) + self.secret
            other.sendall(struct.pack("!i", len(body) + 4) + body)
            other.settimeout(self.timeout)
            other.recv(1)  # the server closes it once it has taken the request

    def close(self):
        try:
            self.socket.sendall(message(b"X"))
        except OSError:
            pass
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _columns(body: bytes) -> list:
    columns, at = [], 2
    for _ in range(int.from_bytes(body[:2], "big")):
        end = body.index(b"\0", at)
        columns.append((body[at:end].decode(), int.from_bytes(body[end + 7:end + 11], "big")))
        at = end + 19
    return columns


def _values(body: bytes) -> tuple:
    values, at = [], 2
    for _ in range(int.from_bytes(body[:2], "big")):
        length = int.from_bytes(body[at:at + 4], "big", signed=True)
        at += 4
        if length < 0:
            values.append(None)
        else:
            values.append(body[at:at + length])
            at += length
    return tuple(values)
