// Reads the generated tables: which fields a type has, their numbers, how they merge. A table is read when
// one of its types is first needed, the fields of a type when they are.
//
// A line of a table is one of
//   Name [atomic]                      a struct, followed by its fields
//   =Name TYPE [enum=A|B]              a named string, number, list or map
//    name number TYPE [flag…]          a field of the struct above
//    +TYPE number                      an embedded struct; its fields belong to the struct above
// TYPE is a scalar (string, int32, …, raw:GoName), a name of the same table, or group/version.Name; before it
// may stand * (a pointer), [] (a list), {} or {KeyType} (a map).
import type { JsonValue } from '@instar/machinery';
import type { Descriptions } from './descriptions/descriptions.ts';
import { describeTypes } from './descriptions/index.ts';
import {
  bool,
  bytes,
  type FieldOptions,
  float64,
  type GoField,
  type GoType,
  int32,
  int64,
  intOrString,
  microTime,
  quantity,
  raw,
  type ScalarType,
  type StructType,
  string,
  time,
} from './go-type.ts';
import { tables } from './tables/index.ts';

const SCALARS: Readonly<Record<string, ScalarType>> = {
  string,
  bool,
  int32,
  int64,
  float64,
  bytes,
  time,
  microTime,
  quantity,
  intOrString,
};

const META = 'meta/v1';

/** Named string types of packages that are not in the tables. */
const isForeignString = (text: string): boolean => text.startsWith('string:');

class Table {
  /** The group and version, "core/v1". */
  readonly name: string;
  readonly #goPackage: string;
  /** The lines of each type by name, the first one being its own. */
  readonly #lines = new Map<string, string[]>();
  readonly #made = new Map<string, GoType>();
  readonly #descriptions: Descriptions;

  constructor(name: string, text: string) {
    this.name = name;
    this.#goPackage = name.slice(name.indexOf('/') + 1);
    this.#descriptions = describeTypes(name);
    let current: string[] = [];
    for (const line of text.trim().split('\n')) {
      if (line.startsWith(' ')) current.push(line.slice(1));
      else this.#lines.set(nameOf(line), (current = [line]));
    }
  }

  type(name: string): GoType {
    let made = this.#made.get(name);
    if (made === undefined) {
      const lines = this.#lines.get(name);
      if (lines === undefined) throw new Error(`the table ${this.name} has no type ${name}`);
      made = lines[0]!.startsWith('=') ? this.#named(name, lines[0]!) : this.#struct(name, lines);
      this.#made.set(name, made);
    }
    return made;
  }

  #struct(name: string, [head, ...fields]: readonly string[]): StructType {
    const descriptions = this.#descriptions[name] ?? {};
    let made: ReadonlyMap<string, GoField> | undefined;
    const readFields = (): ReadonlyMap<string, GoField> => new Map(this.#fields(fields, descriptions));
    return {
      kind: 'struct',
      name: `${this.#goPackage}.${name}`,
      model: modelOf(this.name, name),
      description: descriptions[''] ?? '',
      get fields() {
        made ??= readFields();
        return made;
      },
      atomic: head!.endsWith(' atomic'),
    };
  }

  *#fields(
    lines: readonly string[],
    descriptions: Readonly<Record<string, string>>,
  ): Iterable<[string, GoField]> {
    for (const line of lines) {
      if (line.startsWith('+')) yield* this.#embedded(line.slice(1));
      else {
        const [name, number, type, ...flags] = line.split(' ') as [string, string, string, ...string[]];
        yield [name, this.#field(Number(number), type, flags, descriptions[name] ?? '')];
      }
    }
  }

  *#embedded(line: string): Iterable<[string, GoField]> {
    const [reference, number] = line.split(' ') as [string, string];
    const name = reference.slice(reference.lastIndexOf('.') + 1);
    const { fields } = this.#resolve(reference) as StructType;
    const isTypeMeta = name === 'TypeMeta';
    // Stored bytes begin with apiVersion, so it comes first here.
    for (const [fieldName, field] of isTypeMeta ? [...fields].reverse() : fields) {
      const own = [field.number].flat();
      yield [fieldName, { ...field, number: isTypeMeta ? 0 : [Number(number), ...own], embeddedIn: name }];
    }
  }

  #field(number: number, text: string, flags: readonly string[], description: string): GoField {
    const pointer = text.startsWith('*');
    const type = this.#resolve(pointer ? text.slice(1) : text);
    return { number, type, description, ...(pointer && { pointer }), ...optionsOf(flags) };
  }

  #named(name: string, line: string): GoType {
    const [, text, ...flags] = line.split(' ') as [string, string, ...string[]];
    const goName = `${this.#goPackage}.${name}`;
    const base = this.#resolve(text);
    const values = flagValue(flags, 'enum');
    switch (base.kind) {
      case 'list':
        return { ...base, name: goName, isMessage: true };
      case 'map':
      case 'string':
        return { ...base, name: goName, ...(values && { enum: values.split('|') }) };
      default:
        return base.kind === 'struct' ? base : ({ ...base, name: goName } as GoType);
    }
  }

  #resolve(text: string): GoType {
    if (text.startsWith('[]')) {
      const items = this.#resolve(text.slice(2).replace(/^\*/, ''));
      return { kind: 'list', name: `[]${items.name}`, items };
    }
    if (text.startsWith('{')) return this.#map(text);
    if (text.startsWith('raw:')) return raw(text.slice('raw:'.length));
    if (isForeignString(text)) return { kind: 'string', name: text.slice('string:'.length) };
    if (Object.hasOwn(SCALARS, text)) return SCALARS[text]!;
    return text.includes('/') ? goType(text) : this.type(text);
  }

  #map(text: string): GoType {
    const end = text.indexOf('}');
    const values = this.#resolve(text.slice(end + 1));
    const key = end === 1 ? 'string' : this.#resolve(text.slice(1, end)).name;
    return { kind: 'map', name: `map[${key}]${values.name}`, values };
  }
}

const nameOf = (line: string): string => line.replace(/^=/, '').split(' ', 1)[0]!;

function modelOf(table: string, name: string): string {
  const [group, version] = table.split('/') as [string, string];
  return table === META
    ? `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`
    : `io.k8s.api.${group}.${version}.${name}`;
}

function flagValue(flags: readonly string[], name: string): string | undefined {
  const flag = flags.find((one) => one.startsWith(`${name}=`));
  return flag?.slice(name.length + 1);
}

function optionsOf(flags: readonly string[]): FieldOptions {
  const list = flagValue(flags, 'list')?.split(':');
  const patch = flagValue(flags, 'patch')?.split(':');
  const standard = flagValue(flags, 'default');
  return {
    ...(flags.includes('shown') && { keepEmpty: true }),
    ...(flags.includes('omitzero') && { omitZero: true }),
    ...(flags.includes('required') && { required: true }),
    ...(flags.includes('atomic') && { atomic: true }),
    ...(standard !== undefined && { default: JSON.parse(standard) as JsonValue }),
    ...(list !== undefined && { listType: list[0] as 'atomic' | 'set' | 'map' }),
    ...(list?.[1] !== undefined && { mapKeys: list[1].split(',') }),
    ...(patch !== undefined && {
      patch: { strategy: patch[0]!, ...(patch[1] !== undefined && { key: patch[1] }) },
    }),
  };
}

const read = new Map<string, Table>();

function tableOf(name: string): Table {
  let table = read.get(name);
  if (table === undefined) {
    const text = tables.get(name);
    if (text === undefined) throw new Error(`there is no table ${name}`);
    table = new Table(name, text);
    read.set(name, table);
  }
  return table;
}

/** The type that a reference names: "core/v1.Protocol". */
function goType(reference: string): GoType {
  const dot = reference.lastIndexOf('.');
  return tableOf(reference.slice(0, dot)).type(reference.slice(dot + 1));
}

/** The struct that a reference names: "core/v1.Pod". Every call returns the same one. */
export function goStruct(reference: string): StructType {
  const type = goType(reference);
  if (type.kind !== 'struct') throw new Error(`${reference} is not a struct`);
  return type;
}
