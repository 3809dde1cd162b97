// Writes a tar archive (ustar) of files in memory. Only what setup-envtest reads: regular files with short
// names and a mode.

export interface TarFile {
  readonly name: string;
  readonly mode: number;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
const MAX_NAME_BYTES = 100;

export function tarOf(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ name, mode, bytes }) => [
    header(name, mode, bytes.length),
    bytes,
    padding(bytes.length),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

const padding = (length: number): Buffer => Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);

/** Owner and time are left at zero, so that the same files make the same archive. */
function header(name: string, mode: number, size: number): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Error(`the name is too long for an archive: ${name}`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  octal(block, mode, 100, 8);
  octal(block, 0, 108, 8);
  octal(block, 0, 116, 8);
  octal(block, size, 124, 12);
  octal(block, 0, 136, 12);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  octal(block, sum, 148, 7);
  return block;
}

function octal(block: Buffer, value: number, start: number, width: number): void {
  block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, start, 'latin1');
}
