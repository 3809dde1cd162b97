// The steps done to retire a version, and what is needed to undo them: a file that is written after every
// step.
import { rm } from 'node:fs/promises';
import type { CustomResourceDefinitionVersion } from '@instar/crd';
import { MigrationError } from '../migration-error.ts';
import { readProgressFile, writeProgressFile } from '../progress-file.ts';
import type { StepName } from './steps.ts';

export interface DoneStep {
  readonly step: StepName;
  readonly at: string;
  /** The storage version before it was switched. */
  readonly storage?: string;
  /** The version before it was removed, and its index. */
  readonly removed?: { readonly index: number; readonly version: CustomResourceDefinitionVersion };
}

interface Entries {
  readonly format: 1;
  readonly crd: string;
  readonly version: string;
  readonly done: DoneStep[];
}

/** The steps that a retirement has done, in a file. */
export class RetirementJournal {
  readonly path: string;
  readonly #entries: Entries;

  private constructor(path: string, entries: Entries) {
    this.path = path;
    this.#entries = entries;
  }

  static async open(path: string, crd: string, version: string): Promise<RetirementJournal> {
    const entries = (await read(path)) ?? { format: 1, crd, version, done: [] };
    if (entries.crd !== crd || entries.version !== version)
      throw new MigrationError(`${path} is about ${entries.version} of ${entries.crd}`);
    return new RetirementJournal(path, entries);
  }

  get last(): DoneStep | undefined {
    return this.#entries.done.at(-1);
  }

  get done(): readonly DoneStep[] {
    return this.#entries.done;
  }

  /** Called before a step: what cannot be recorded could not be undone. */
  async prepare(): Promise<void> {
    await this.#write();
  }

  async add(step: DoneStep): Promise<void> {
    this.#entries.done.push(step);
    await this.#write();
  }

  async removeLast(): Promise<void> {
    this.#entries.done.pop();
    if (this.#entries.done.length === 0) await rm(this.path, { force: true });
    else await this.#write();
  }

  async #write(): Promise<void> {
    await writeProgressFile(this.path, `${JSON.stringify(this.#entries, undefined, 2)}\n`);
  }
}

async function read(path: string): Promise<Entries | undefined> {
  const text = await readProgressFile(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Entries;
  } catch (error) {
    throw new MigrationError(`${path} is not a journal of instar retire: ${(error as Error).message}`);
  }
}
