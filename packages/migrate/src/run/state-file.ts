// How far a migration has come, on disk: written whole and renamed into place after every page, so that a
// crash leaves the page before.
import { rm } from 'node:fs/promises';
import { readKept, writeKept } from '../kept-file.ts';
import { MigrationError } from '../migration-error.ts';
import type { Counts } from './outcome.ts';

export interface MigrationState {
  readonly format: 1;
  readonly crd: string;
  /**
   * Of the definition when the migration began: a different one later means that what was proved may not
   * hold.
   */
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

function parsed(text: string): MigrationState | undefined {
  try {
    return (JSON.parse(text) as MigrationState | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export class StateFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Undefined if there is none. */
  async read(): Promise<MigrationState | undefined> {
    const text = await readKept(this.path);
    if (text === undefined) return undefined;
    const state = parsed(text);
    if (state?.format !== 1) throw new MigrationError(`${this.path} is not the state of a migration`);
    return state;
  }

  async write(state: MigrationState): Promise<void> {
    await writeKept(this.path, `${JSON.stringify(state)}\n`);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
