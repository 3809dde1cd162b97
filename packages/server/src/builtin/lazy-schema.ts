// A compiled schema that is made when somebody first looks at it: most built-in kinds are not touched in most runs, and the server must be
// ready at once. The result is shared by all servers of a process.
import { type CompiledSchema, compileSchema } from '@instar/schema';
import type { StructType } from './typed/go-type.ts';
import { schemaOf } from './typed/schema-of.ts';

export function lazySchema(type: StructType): CompiledSchema {
  let compiled: CompiledSchema | undefined;
  const schema = (): CompiledSchema => (compiled ??= compileSchema(schemaOf(type)));
  return {
    get source() {
      return schema().source;
    },
    get root() {
      return schema().root;
    },
    prune: (object) => schema().prune(object),
    applyDefaults: (object) => schema().applyDefaults(object),
    validate: (object, options) => schema().validate(object, options),
  };
}
