// What has been done to retire a version, and what is needed to undo it: a file that is written after every
// step.
import { rm } from 'node:fs/promises';
import type { CustomResourceDefinitionVersion } from '@instar/crd';
import { readKept, writeKept } from '../kept-file.ts';
import { MigrationError } from '../migration-error.ts';
import type { StepName } from './steps.ts';

export interface DoneStep {
  readonly step: StepName;
  readonly at: string;
  /** The storage version before it was switched. */
  readonly storage?: string;
  /** The version as it was before it was removed, and where it stood. */
  readonly removed?: { readonly index: number; readonly version: CustomResourceDefinitionVersion };
}

interface Entries {
  readonly format: 1;
  readonly crd: string;
  readonly version: string;
  readonly done: DoneStep[];
}

export class Journal {
  readonly path: string;
  readonly #entries: Entries;

  private constructor(path: string, entries: Entries) {
    this.path = path;
    this.#entries = entries;
  }

  static async open(path: string, crd: string, version: string): Promise<Journal> {
    const entries = (await read(path)) ?? { format: 1, crd, version, done: [] };
    if (entries.crd !== crd || entries.version !== version)
      throw new MigrationError(`${path} is about ${entries.version} of ${entries.crd}`);
    return new Journal(path, entries);
  }

  get last(): DoneStep | undefined {
    return this.#entries.done.at(-1);
  }

  get done(): readonly DoneStep[] {
    return this.#entries.done;
  }

  /** Before a step is taken: what cannot be written down could not be taken back. */
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
    await writeKept(this.path, `${JSON.stringify(this.#entries, undefined, 2)}\n`);
  }
}

async function read(path: string): Promise<Entries | undefined> {
  const text = await readKept(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Entries;
  } catch (error) {
    throw new MigrationError(`${path} is no journal of instar retire: ${(error as Error).message}`);
  }
}
