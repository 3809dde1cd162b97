// The description of a protobuf message. The kinds define which messages exist.
import type { StandIn } from '@instar/kinds';

export type ScalarForm =
  | 'string'
  | 'bytes'
  | 'int'
  | 'bool'
  | 'double'
  | 'Time'
  | 'MicroTime'
  | 'IntOrString'
  | 'Quantity'
  | 'Json';

export interface Field {
  /** Empty: the fields of this message belong to the enclosing message in JSON. */
  readonly name: string;
  readonly type: ScalarForm | Message;
  readonly form: 'one' | 'list' | 'map';
  /** A pointer in Go: absent and zero differ, and zero is kept. */
  readonly nullable: boolean;
}

export class Message {
  readonly name: string;
  readonly standIn: StandIn | undefined;
  readonly #make: () => Iterable<readonly [number, Field]>;
  #fields: ReadonlyMap<number, Field> | undefined;

  /** `make` is called when the message is first used: messages may contain themselves. */
  constructor(name: string, make: () => Iterable<readonly [number, Field]>, standIn?: StandIn) {
    this.name = name;
    this.#make = make;
    this.standIn = standIn;
  }

  /** By number. */
  get fields(): ReadonlyMap<number, Field> {
    this.#fields ??= new Map(this.#make());
    return this.#fields;
  }
}
