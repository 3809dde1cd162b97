// What a message of protobuf is made of. Which messages there are, the kinds say; here none is known.
import type { JsonObject, JsonValue } from '@instar/machinery';

export type ScalarForm =
  | 'string'
  | 'bytes'
  | 'int'
  | 'bool'
  | 'double'
  | 'Time'
  | 'MicroTime'
  | 'IntOrString'
  | 'Json';

export interface Field {
  /** Empty: the fields of the message are those of the message around it. */
  readonly name: string;
  readonly type: ScalarForm | Message;
  readonly form: 'one' | 'list' | 'map';
  /** Absent and zero differ (a pointer in Go): zero is kept. */
  readonly nullable: boolean;
}

/**
 * For a message that in JSON is no object with those fields, but a value that stands for them: a list of
 * texts, a schema or a boolean.
 */
export interface StandIn {
  /** The fields of the message that the value stands for. */
  toMessage(value: JsonValue): JsonObject;
  fromMessage(message: JsonObject): JsonValue;
}

export class Message {
  readonly name: string;
  readonly standIn: StandIn | undefined;
  readonly #make: () => Iterable<readonly [number, Field]>;
  #fields: ReadonlyMap<number, Field> | undefined;

  /** `make` is called when the message is first needed: messages may hold themselves. */
  constructor(name: string, make: () => Iterable<readonly [number, Field]>, standIn?: StandIn) {
    this.name = name;
    this.#make = make;
    this.standIn = standIn;
  }

  /** By their numbers. */
  get fields(): ReadonlyMap<number, Field> {
    this.#fields ??= new Map(this.#make());
    return this.#fields;
  }
}
