// The progress of a migration, on disk: written whole and renamed into place after every page, so that a
// crash leaves the previous page.
import { rm } from 'node:fs/promises';
import { MigrationError } from '../migration-error.ts';
import { readProgressFile, writeProgressFile } from '../progress-file.ts';
import type { Counts } from './outcome.ts';

export interface MigrationState {
  readonly format: 1;
  readonly crd: string;
  /** Of the definition when the migration began: if it differs later, the proof may not hold. */
  readonly uid: string;
  readonly generation: number;
  /** What is being done: the state of one task is useless to another. */
  readonly task: string;
  readonly startedAt: string;
  /** Where to continue; empty: at the beginning. */
  continue: string;
  /** True when the last page is done. */
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

/** The progress of a migration in a file, so that it can resume. */
export class StateFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Undefined if there is none. */
  async read(): Promise<MigrationState | undefined> {
    const text = await readProgressFile(this.path);
    if (text === undefined) return undefined;
    const state = parsed(text);
    if (state?.format !== 1) throw new MigrationError(`${this.path} is not the state of a migration`);
    return state;
  }

  async write(state: MigrationState): Promise<void> {
    await writeProgressFile(this.path, `${JSON.stringify(state)}\n`);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
