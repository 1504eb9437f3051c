import { finished } from 'node:stream/promises';
import { type DeflateRaw, crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive; what it holds is asked for when its turn comes, and no faster than it can be sent. */
export interface ZipEntry {
  name: string;
  chunks: AsyncIterable<string | Buffer>;
}

/** What the central directory says about a file. */
interface Filed {
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
/** 1980-01-01: an archive says nothing about when its parts were made. */
const NO_DATE = 0x0021;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
/** Level 1 costs half the time of the usual level, and a fifth more bytes. */
const LEVEL = 1;
/** What a chunk becomes fits in: each time that is full takes a way from zlib's thread to this one and back. */
const PACKED_BYTES = 256 * 1024;

/**
 * Writes an archive as it is read: nothing is kept but a line about each file. What is broken off lacks its central
 * directory, which every program takes for a broken file.
 *
 * @param widest sizes and places above it are written in the 64-bit form; only a test has a reason to lower it
 */
export async function* zip(entries: AsyncIterable<ZipEntry>, widest = MAX_32): AsyncGenerator<Buffer> {
  const filed: Filed[] = [];
  let offset = 0;
  for await (const { name, chunks } of entries) {
    const file: Filed = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset };
    const header = localHeader(file);
    yield header;
    for await (const bytes of deflated(chunks, file)) {
      file.packed += bytes.length;
      yield bytes;
    }
    const descriptor = descriptorOf(file, widest);
    yield descriptor;
    offset += header.length + file.packed + descriptor.length;
    filed.push(file);
  }
  const directory = Buffer.concat(filed.map((file) => directoryLine(file, widest)));
  yield directory;
  yield endOf(filed.length, directory.length, offset, widest);
}

/**
 * The packed bytes of a text. While a chunk is packed in zlib's thread the next is made in this one, and no more than that: who
 * is asked for the chunk behind the next may write over the first.
 */
async function* deflated(chunks: AsyncIterable<string | Buffer>, file: Filed): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: LEVEL, chunkSize: PACKED_BYTES });
  const packed: Buffer[] = [];
  deflate.on('data', (bytes: Buffer) => packed.push(bytes));
  // A failure is thrown by what waits for the chunk.
  deflate.on('error', () => undefined);
  try {
    let packing: Promise<void> | undefined;
    for await (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      await packing;
      packing = pack(deflate, bytes);
      file.crc = crc32(bytes, file.crc);
      file.size += bytes.length;
      yield* packed.splice(0);
    }
    await packing;
    deflate.end();
    await finished(deflate);
    yield* packed;
  } finally {
    deflate.destroy();
  }
}

/** Ends when the bytes are packed. */
function pack(deflate: DeflateRaw, bytes: Buffer): Promise<void> {
  const packing = new Promise<void>((resolve, reject) => {
    deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  // Nobody waits for the last one where there are no more chunks because their source failed.
  packing.catch(() => undefined);
  return packing;
}

function localHeader({ name }: Filed): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(PLAIN_VERSION, 4);
  header.writeUInt16LE(UTF8_NAME | SIZES_FOLLOW, 6);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(NO_DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptorOf({ crc, packed, size }: Filed, widest: number): Buffer {
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

function directoryLine({ name, crc, packed, size, offset }: Filed, widest: number): Buffer {
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

/** The extra field that holds what does not fit into 32 bits. */
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
  // Where the record above is, and on how many disks: one.
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
