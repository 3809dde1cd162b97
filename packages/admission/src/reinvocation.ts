// Which policies and webhooks are invoked again: those that ask for it and were invoked before a later change
// of the object. There are two rounds at most, each with the plug-ins of the server before.
import { asJson, deepCopy, deepEqual, type JsonValue, type KubeObject } from '@instar/machinery';

/** The state of the two rounds of one request. */
export class Reinvocation {
  readonly policies = new Reinvoked(this);
  readonly webhooks = new Reinvoked(this);
  isSecondRound = false;
  isWanted = false;

  /** True once, if something has changed the object in the first round. */
  startSecondRound(): boolean {
    if (this.isSecondRound || !this.isWanted) return false;
    this.isSecondRound = true;
    return true;
  }
}

/** One kind of what is invoked, by an id. */
class Reinvoked {
  readonly #rounds: Reinvocation;
  /** Invoked since the last change, among those that ask for it. */
  readonly #since = new Set<string>();
  readonly #again = new Set<string>();
  /** The object after the first round; undefined if nobody needs to know. */
  #left: JsonValue | undefined;

  constructor(rounds: Reinvocation) {
    this.#rounds = rounds;
  }

  /** Others may have changed the object since the first round. */
  start(object: KubeObject | undefined): void {
    if (!this.#rounds.isSecondRound || this.#since.size === 0) return;
    if (object === undefined || this.#left === undefined) return;
    if (!deepEqual(asJson(object), this.#left)) this.#reinvokeEarlier();
  }

  /** Nothing is invoked for the first time in the second round. */
  admits(id: string): boolean {
    return !this.#rounds.isSecondRound || this.#again.has(id);
  }

  /** Something was invoked. Its own change is not a reason to invoke it again. */
  invoked(
    id: string,
    { changed, reinvokes }: { readonly changed: boolean; readonly reinvokes: boolean },
  ): void {
    if (changed) this.changed();
    if (reinvokes) this.#since.add(id);
  }

  changed(): void {
    this.#rounds.isWanted = true;
    this.#reinvokeEarlier();
  }

  end(object: KubeObject | undefined): void {
    if (this.#rounds.isSecondRound || this.#since.size === 0 || object === undefined) return;
    this.#left = deepCopy(asJson(object));
  }

  #reinvokeEarlier(): void {
    for (const earlier of this.#since) this.#again.add(earlier);
    this.#since.clear();
  }
}
