// One call for all concurrent callers. A caller gets the answer of a call that started after its request: an
// older one may not know what the caller knows.

export class SharedCall<T> {
  readonly #call: () => Promise<T>;
  #running: Promise<T> | undefined;
  #waiting: Promise<T> | undefined;

  constructor(call: () => Promise<T>) {
    this.#call = call;
  }

  next(): Promise<T> {
    if (this.#running === undefined) return this.#run();
    this.#waiting ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined;
        return this.#run();
      });
    return this.#waiting;
  }

  #run(): Promise<T> {
    const running = this.#call().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
