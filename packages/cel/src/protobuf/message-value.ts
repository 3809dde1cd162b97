// A message as a value: the message itself and its type. Two messages are equal if their fields are; NaN
// equals nothing, here too.
import type { Message } from '@bufbuild/protobuf';
import { HostObject } from '../values/host-object.ts';
import type { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { MessageShape } from './message-shape.ts';

/** A message, read in place. */
export class MessageValue extends HostObject {
  readonly shape: MessageShape;
  declare readonly raw: Message;

  constructor(type: CelType, raw: Message, shape: MessageShape) {
    super(type, raw);
    this.shape = shape;
  }

  override equals(other: Value): boolean {
    return (
      other instanceof MessageValue &&
      other.type.name === this.type.name &&
      this.shape.same(this.raw, other.raw)
    );
  }
}
