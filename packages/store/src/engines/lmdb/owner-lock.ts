// Keeps a second server out of a data directory. Node has no flock, so each candidate listens on its own Unix
// socket inside the directory: the kernel closes it with the process, however that ends, and no name is ever
// reused, so a dead one can be removed without a race. The rule: open your own socket, then look for others.
// A candidate that finds a living one backs off. So two can never both win; at worst both back off, and retry
// after a random time. Pathname sockets are found across network namespaces too, so containers that share a
// volume see each other (on one machine: a directory on a network file system is not protected, nor suitable
// for LMDB).
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../store.ts';

const NAME = /^owner-[0-9a-f]{12}\.sock$/;
const ATTEMPTS = 12;
/** The longest socket path that the system accepts, with a margin. */
const LONGEST_PATH = 100;

export interface OwnerLock {
  release(): Promise<void>;
}

export async function lockDirectory(directory: string): Promise<OwnerLock> {
  for (let attempt = 1; ; attempt++) {
    const candidate = await Candidate.enter(directory);
    const rival = await candidate.findRival();
    if (rival === undefined) return candidate;
    await candidate.release();
    if (rival.owner || attempt === ATTEMPTS) {
      throw new StoreError(
        'locked',
        `the data directory ${directory} is in use by another process${rival.pid && ` (pid ${rival.pid})`}`,
      );
    }
    await sleep(20 + Math.random() * 80);
  }
}

interface Rival {
  readonly owner: boolean;
  readonly pid: string;
}

class Candidate implements OwnerLock {
  readonly #directory: string;
  readonly #name = `owner-${randomBytes(6).toString('hex')}.sock`;
  readonly #server: Server;
  #handle: FileHandle | undefined;
  #owner = false;

  static async enter(directory: string): Promise<Candidate> {
    const candidate = new Candidate(directory);
    await candidate.#listen();
    return candidate;
  }

  private constructor(directory: string) {
    this.#directory = directory;
    this.#server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${this.#owner ? 'owner' : 'candidate'} ${process.pid}`);
    });
    this.#server.unref();
  }

  /** Another living candidate, if there is one; otherwise we are the owner from now on. */
  async findRival(): Promise<Rival | undefined> {
    for (const name of await readdir(this.#directory)) {
      if (!NAME.test(name) || name === this.#name) continue;
      const rival = await askRival(await this.#pathTo(name));
      if (rival !== undefined) return rival;
      await unlink(join(this.#directory, name)).catch(() => undefined);
    }
    this.#owner = true;
    return undefined;
  }

  async release(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await unlink(join(this.#directory, this.#name)).catch(() => undefined);
    await this.#handle?.close();
  }

  async #listen(): Promise<void> {
    const path = await this.#pathTo(this.#name);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, resolve);
    }).catch((error: unknown) => {
      throw new StoreError(
        'unavailable',
        `cannot lock the data directory ${this.#directory}: ${(error as Error).message}`,
        {
          cause: error,
        },
      );
    });
  }

  /** A path to a file of the directory that is short enough for a socket. */
  async #pathTo(name: string): Promise<string> {
    const absolute = join(this.#directory, name);
    const shortest = [absolute, relative(process.cwd(), absolute)].find(
      (path) => Buffer.byteLength(path) <= LONGEST_PATH,
    );
    if (shortest !== undefined) return shortest;
    if (process.platform !== 'linux')
      throw new StoreError('invalid', `the path of the data directory ${this.#directory} is too long`);
    this.#handle ??= await open(this.#directory);
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }
}

/** Who listens there; undefined if no process does. */
function askRival(path: string): Promise<Rival | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const finish = (): void =>
      resolve({ owner: answer.startsWith('owner'), pid: answer.split(' ')[1] ?? '' });
    const socket = connect(path, () => socket.setTimeout(2_000));
    socket.on('data', (bytes) => (answer += bytes.toString()));
    socket.on('end', finish);
    socket.on('timeout', () => socket.destroy(new Error('no answer')));
    // Any error but these two may mean a living process that is too busy to answer.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined);
      else finish();
    });
  });
}
