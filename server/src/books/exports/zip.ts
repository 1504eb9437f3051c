import { finished } from 'node:stream/promises';
import { type DeflateRaw, crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive. Its chunks are read with backpressure, after all chunks of the files before it. */
export interface ZipEntry {
  name: string;
  chunks: AsyncIterable<string>;
}

/** Entry of the central directory. */
interface DirectoryEntry {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

const UTF8_NAME = 0x0800;
const SIZES_FOLLOW = 0x0008;
const DEFLATE = 8;
const PLAIN_VERSION = 20;
const WIDE_VERSION = 45;
/** 1980-01-01, so that equal contents give equal archives. */
const NO_DATE = 0x0021;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
/** Level 1 takes half the time of the default level and makes files a fifth larger. */
const LEVEL = 1;
/**
 * Bytes that are compressed at once. Each time costs switches between threads, but only while it waits for them does the
 * process serve other requests.
 */
export const PIECE_BYTES = 64 * 1024;
/** Holds most compressed pieces, because every full output buffer costs a switch as well. */
const PACKED_BYTES = 256 * 1024;

export interface ZipOptions {
  /** As `PIECE_BYTES`, which is the default. */
  pieceBytes?: number;
  /** Sizes and offsets above it use the zip64 form; only tests lower it. */
  widest?: number | undefined;
}

/**
 * Generates an archive as it is read; memory holds only the directory. An interrupted archive has no central directory,
 * so every program reports it as damaged.
 */
export async function* zip(
  entries: AsyncIterable<ZipEntry>,
  { pieceBytes = PIECE_BYTES, widest = MAX_32 }: ZipOptions = {},
): AsyncGenerator<Buffer> {
  const directoryEntries: DirectoryEntry[] = [];
  let offset = 0;
  for await (const { name, chunks } of entries) {
    const file: DirectoryEntry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset };
    const header = localHeader(file);
    yield header;
    for await (const bytes of deflate(chunks, file, pieceBytes)) {
      file.packed += bytes.length;
      yield bytes;
    }
    const descriptor = descriptorOf(file, widest);
    yield descriptor;
    offset += header.length + file.packed + descriptor.length;
    directoryEntries.push(file);
  }
  const directory = Buffer.concat(directoryEntries.map((file) => directoryLine(file, widest)));
  yield directory;
  yield endOf(directoryEntries.length, directory.length, offset, widest);
}

/**
 * Compresses chunks and updates sizes and checksum of `file`. One buffer is compressed in zlib's thread while the other is
 * filled.
 */
async function* deflate(
  chunks: AsyncIterable<string>,
  file: DirectoryEntry,
  pieceBytes: number,
): AsyncGenerator<Buffer> {
  const stream = createDeflateRaw({ level: LEVEL, chunkSize: PACKED_BYTES });
  const packed: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => packed.push(bytes));
  // Errors are thrown by `pack`, which waits for the buffer.
  stream.on('error', () => undefined);
  const encoder = new TextEncoder();
  let [filled, other] = [new Uint8Array(pieceBytes), new Uint8Array(pieceBytes)];
  let used = 0;
  let packing: Promise<void> | undefined;
  const packFilled = async (): Promise<void> => {
    await packing;
    const bytes = filled.subarray(0, used);
    packing = pack(stream, bytes);
    file.crc = crc32(bytes, file.crc);
    file.size += used;
    [filled, other] = [other, filled];
    used = 0;
  };
  try {
    for await (const chunk of chunks) {
      for (let rest = chunk; rest !== '';) {
        const { read, written } = encoder.encodeInto(rest, filled.subarray(used));
        used += written;
        rest = rest.slice(read);
        if (rest === '') break;
        await packFilled();
        yield* packed.splice(0);
      }
    }
    await packFilled();
    await packing;
    stream.end();
    await finished(stream);
    yield* packed;
  } finally {
    stream.destroy();
  }
}

/** Resolves when the bytes are compressed. */
function pack(stream: DeflateRaw, bytes: Uint8Array): Promise<void> {
  const packing = new Promise<void>((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  // If the source fails, the last promise is not awaited; its rejection must not be unhandled.
  packing.catch(() => undefined);
  return packing;
}

function localHeader({ name }: DirectoryEntry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(PLAIN_VERSION, 4);
  header.writeUInt16LE(UTF8_NAME | SIZES_FOLLOW, 6);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(NO_DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptorOf({ crc, packed, size }: DirectoryEntry, widest: number): Buffer {
  const wide = packed > widest || size > widest;
  const descriptor = Buffer.alloc(wide ? 24 : 16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  if (wide) {
    descriptor.writeBigUInt64LE(BigInt(packed), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(packed, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
}

function directoryLine({ name, crc, packed, size, offset }: DirectoryEntry, widest: number): Buffer {
  const [narrowSize, narrowPacked, narrowOffset] = [size, packed, offset].map((value) =>
    value > widest ? MAX_32 : value,
  ) as [number, number, number];
  const extra = wideField([size, packed, offset].filter((value) => value > widest));
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(WIDE_VERSION, 4);
  line.writeUInt16LE(extra.length > 0 ? WIDE_VERSION : PLAIN_VERSION, 6);
  line.writeUInt16LE(UTF8_NAME | SIZES_FOLLOW, 8);
  line.writeUInt16LE(DEFLATE, 10);
  line.writeUInt16LE(NO_DATE, 14);
  line.writeUInt32LE(crc, 16);
  line.writeUInt32LE(narrowPacked, 20);
  line.writeUInt32LE(narrowSize, 24);
  line.writeUInt16LE(name.length, 28);
  line.writeUInt16LE(extra.length, 30);
  line.writeUInt32LE(narrowOffset, 42);
  return Buffer.concat([line, name, extra]);
}

/** The zip64 extra field with the values that do not fit into 32 bits. */
function wideField(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, i) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * i));
  return field;
}

function endOf(count: number, length: number, offset: number, widest: number): Buffer {
  const end = Buffer.alloc(22);
  const wide = offset > widest || length > widest || count >= MAX_16;
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(wide ? MAX_16 : count, 8);
  end.writeUInt16LE(wide ? MAX_16 : count, 10);
  end.writeUInt32LE(wide ? MAX_32 : length, 12);
  end.writeUInt32LE(wide ? MAX_32 : offset, 16);
  return wide ? Buffer.concat([wideEndOf(count, length, offset), end]) : end;
}

function wideEndOf(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(WIDE_VERSION, 12);
  end.writeUInt16LE(WIDE_VERSION, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  // Locator of the zip64 record above, on disk 1 of 1.
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
