// Run-time errors as values. Strict functions return them, and && and || absorb them, as CEL defines.

/** An error as a value: returned, never thrown. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const failure = (message: string): CelError => new CelError(message);
export const noSuchKey = (key: string): CelError => new CelError(`no such key: ${key}`);

/** The error of a call with arguments that no overload takes. */
export const noSuchOverload = (): CelError => new CelError('no such overload');
export const divisionByZero = (): CelError => new CelError('division by zero');
