// A disk that is really full: a small file system in a mount namespace that ends with the child. Several
// sizes, because what LMDB reports depends on where the last free bytes end. Needs the permission to mount.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@instar/testing';
import { describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('./store-writer.mjs', import.meta.url));
const SERVER_SCRIPT = fileURLToPath(new URL('./server-filler.mjs', import.meta.url));
const directory = temporaryFolder();

function onSmallDisk(kibibytes: number, command: string): string {
  const script = `mount -t tmpfs -o size=${kibibytes}k tmpfs "$1" && ${command}`;
  const { stdout, status } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', script, 'sh', directory, process.execPath, SCRIPT, SERVER_SCRIPT],
    {
      encoding: 'utf8',
    },
  );
  return status === 0 ? stdout : '';
}

const mayMount = onSmallDisk(64, 'echo yes').includes('yes');

describe.skipIf(!mayMount)(`a full disk${mayMount ? '' : ' (skipped: no permission to mount)'}`, () => {
  it.each([3000, 3004, 3008, 3012, 3016, 3020])(
    'of %i KiB is called full, and nothing that was acknowledged is lost',
    (kibibytes) => {
      const said = onSmallDisk(kibibytes, '"$2" "$3" "$1/data" fill 2>/dev/null').trim().split('\n').at(-1)!;
      const result = JSON.parse(said);
      expect(result).toMatchObject({ code: 'full', before: result.acknowledged, after: result.acknowledged });
      expect(result.again).toBe('full');
      expect(result.acknowledged).toBeGreaterThan(100);
    },
  );

  it.each([6000, 16_000])(
    'of %i KiB lets deletes and shrinking updates through, then takes writes again',
    (kibibytes) => {
      const said = onSmallDisk(kibibytes, '"$2" "$3" "$1/data" empty').trim().split('\n').at(-1)!;
      const { count, message, ...result } = JSON.parse(said);
      expect(result).toEqual({ code: 'full', growing: 'full', refused: [], again: Math.ceil(count / 4) });
      expect(message).toMatch(/the disk of \S+data.mdb is full .*: delete objects.* or give it more space/);
      expect(count).toBeGreaterThan(50);
    },
  );

  it('can be emptied through the API, which then accepts writes again', { timeout: 60_000 }, () => {
    const said = onSmallDisk(24_000, 'TMPDIR="$1" "$2" "$4"').trim().split('\n').at(-1)!;
    const { count, refusal, ...result } = JSON.parse(said);
    expect(count).toBeGreaterThan(100);
    expect(refusal).toEqual([500, expect.stringMatching(/is full .*: delete objects/)]);
    expect(result).toEqual({
      deletes: { 200: count },
      again: [201, 201, 201, 201, 201],
      left: ['again0', 'again1', 'again2', 'again3', 'again4'],
    });
  });
});
