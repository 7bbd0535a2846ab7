"""data.py: the rows of the orders benchmark, the same for every server and every run.

id sequential; customer uniform over rows / 75; sku uniform over rows / rows_per_sku; day uniform over days; amount uniform 100 to
99,999; note 1,000 characters, part random and part quoted from a pool of words, so that zstd makes it half. They are written once as
ready-to-send statements, beside the four numbers of every row, from which the exact counts are known.
"""
import array
import pathlib
import random

NOTE = 1000
RANDOM_PART = 480
PIECES = 20
POOL = 2048
ROW_BYTES = 1036  # four BIGINT, one INT and the note: what "raw" means
LETTERS = bytes(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[i & 63] for i in range(256))
COLUMNS = "id, customer_id, sku, day, amount, note"


class Orders:
    def __init__(self, folder: pathlib.Path, rows: int, rows_per_sku: int, days: int, chunk: int, mode: str):
        self.rows, self.chunk, self.mode, self.days = rows, chunk, mode, days
        self.customers, self.skus = max(1, rows // 75), max(1, rows // rows_per_sku)
        base = folder / f"{mode}-{rows}-{chunk}-sku{rows_per_sku}-day{days}"
        self.statements = base.with_name(base.name + ".statements")
        self.offsets_file = base.with_name(base.name + ".offsets")
        self.numbers_file = base.with_name(base.name + ".numbers")
        if not self.numbers_file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            self._write()
        self.offsets = array.array("Q", self.offsets_file.read_bytes())
        self.numbers = array.array("i", self.numbers_file.read_bytes())  # customer, sku, day, amount of every row

    @property
    def raw_bytes(self) -> int:
        return self.rows * ROW_BYTES

    def column(self, index: int) -> array.array:
        return self.numbers[index::4]

    def _rows(self):
        rng = random.Random(1)
        pool = _pool(rng)
        step, quoted = RANDOM_PART // PIECES, (NOTE - RANDOM_PART) // PIECES
        for identity in range(1, self.rows + 1):
            noise = rng.randbytes(RANDOM_PART).translate(LETTERS)
            at = int(rng.random() * (POOL - NOTE))
            note = b"".join(noise[i * step:(i + 1) * step] + pool[at + i * 31:at + i * 31 + quoted] for i in range(PIECES))
            yield (identity, 1 + int(rng.random() * self.customers), 1 + int(rng.random() * self.skus), 1 + int(rng.random() * self.days),
                   100 + int(rng.random() * 99900), note)

    def _write(self):
        head, row_format, between = (b"INSERT INTO orders (" + COLUMNS.encode() + b") VALUES ", b"(%d,%d,%d,%d,%d,'%s')", b",")
        if self.mode == "copy":
            head, row_format, between = b"", b"%d\t%d\t%d\t%d\t%d\t%s\n", b""
        offsets, numbers, part = array.array("Q", [0]), array.array("i"), []
        with open(self.statements, "wb") as out:
            for row in self._rows():
                numbers.extend(row[1:5])
                part.append(row_format % row)
                if len(part) == self.chunk or row[0] == self.rows:
                    out.write(head + between.join(part))
                    offsets.append(out.tell())
                    part.clear()
        self.offsets_file.write_bytes(offsets.tobytes())
        self.numbers_file.write_bytes(numbers.tobytes())


def _pool(rng: random.Random) -> bytes:
    syllables = ["ka", "lo", "mi", "ter", "sun", "ber", "al", "on", "re", "vi", "da", "pel", "or", "ni", "ship", "ing"]
    words = []
    while sum(map(len, words)) < POOL:
        words.append("".join(rng.choice(syllables) for _ in range(rng.randint(1, 4))) + " ")
    return "".join(words).encode()[:POOL]
