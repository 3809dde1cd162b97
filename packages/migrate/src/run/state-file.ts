// How far a migration has come, on disk: written whole and renamed into place after every page, so that a crash leaves the page before.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { MigrationError } from '../migration-error.ts';
import type { Counts } from './outcome.ts';

export interface MigrationState {
  readonly format: 1;
  readonly crd: string;
  /** Of the definition when the migration began: a different one later means that what was proved may not hold. */
  readonly uid: string;
  readonly generation: number;
  /** What is being done: the state of one task is of no use to another. */
  readonly task: string;
  readonly startedAt: string;
  /** Where to go on; empty: at the beginning. */
  continue: string;
  /** True when the last page has been worked on. */
  finished: boolean;
  counts: Counts;
}

export class StateFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Undefined if there is none. */
  async read(): Promise<MigrationState | undefined> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const state = JSON.parse(text) as MigrationState;
    if (state.format !== 1) throw new MigrationError(`${this.path} is not the state of a migration`);
    return state;
  }

  async write(state: MigrationState): Promise<void> {
    await writeFile(`${this.path}.new`, `${JSON.stringify(state)}\n`);
    await rename(`${this.path}.new`, this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
