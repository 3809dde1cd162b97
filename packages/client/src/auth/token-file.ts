// A bearer token in a file that is rotated externally (by the kubelet for service accounts), reread every
// minute.
import { readFile } from 'node:fs/promises';
import type { Clock } from '@instar/serving';
import type { ClientCertificate, Credential } from './credential.ts';

/** As client-go does. */
const REREAD_MS = 60_000;

export class TokenFile implements Credential {
  readonly #file: string;
  readonly #clock: Clock;
  #token = '';
  #freshUntil = Number.NEGATIVE_INFINITY;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  async authorization(): Promise<string> {
    if (this.#clock.now() >= this.#freshUntil) await this.#read();
    return `Bearer ${this.#token}`;
  }

  async clientCertificate(): Promise<ClientCertificate | undefined> {
    return undefined;
  }

  expire(): boolean {
    this.#freshUntil = Number.NEGATIVE_INFINITY;
    return true;
  }

  /** While the file cannot be read, the last token stays in use. */
  async #read(): Promise<void> {
    try {
      const token = (await readFile(this.#file, 'utf8')).trim();
      if (token === '') throw new Error(`the token file ${this.#file} is empty`);
      this.#token = token;
    } catch (error) {
      if (this.#token === '') throw error;
    }
    this.#freshUntil = this.#clock.now() + REREAD_MS;
  }
}
