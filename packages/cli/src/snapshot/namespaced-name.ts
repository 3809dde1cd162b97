// NAMESPACE/NAME as a flag has it.
import { InvalidArgumentError } from 'commander';

export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

const NAME = '[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?';
const NAMESPACED = new RegExp(`^(${NAME})/(${NAME})$`);

export function namespacedName(text: string): NamespacedName {
  const match = NAMESPACED.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be NAMESPACE/NAME.');
  return { namespace: match[1]!, name: match[2]! };
}
