// Some objects converted from one version to another and back. Each step is done once, when a law first needs
// it.
import { deepCopy, type JsonObject } from '@instar/machinery';
import type { Comparer } from './comparison.ts';
import type { Conversion, Converted } from './conversion.ts';
import type { Edit } from './edit/edit.ts';
import type { Dice } from './generate/dice.ts';
import { type ProofVersion, settled } from './subject.ts';

export interface TrialSettings {
  readonly from: ProofVersion;
  readonly to: ProofVersion;
  readonly conversion: Conversion;
  readonly comparer: Comparer;
  readonly dice: Dice;
  /** The edit for the only object, instead of a random one. */
  readonly edit?: Edit;
}

export class Trial {
  readonly objects: readonly JsonObject[];
  readonly settings: TrialSettings;
  #forward: Promise<Converted> | undefined;
  #seen: Promise<readonly JsonObject[] | undefined> | undefined;
  #back: Promise<Converted> | undefined;

  constructor(objects: readonly JsonObject[], settings: TrialSettings) {
    this.objects = objects;
    this.settings = settings;
  }

  forward(): Promise<Converted> {
    return (this.#forward ??= this.settings.conversion.run(this.objects, this.settings.to.apiVersion));
  }

  /**
   * As a client of the other version sees them. Undefined: the objects did not convert, or not one to one.
   */
  seen(): Promise<readonly JsonObject[] | undefined> {
    return (this.#seen ??= this.#see());
  }

  async #see(): Promise<readonly JsonObject[] | undefined> {
    const forward = await this.forward();
    if ('failure' in forward || forward.objects.length !== this.objects.length) return undefined;
    return forward.objects.map((object) => settled(deepCopy(object), this.settings.to));
  }

  async back(): Promise<Converted | undefined> {
    const seen = await this.seen();
    if (seen === undefined) return undefined;
    return (this.#back ??= this.settings.conversion.run(seen, this.settings.from.apiVersion));
  }
}
