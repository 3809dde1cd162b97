// What an expression may refer to: variables, types, functions, macros, constants; and how it is parsed,
// checked and charged. Immutable; extend() creates a larger one that shares what it can.

import type { ExpressionValidator } from './check/expression-validator.ts';
import type {
  Constant,
  CostModel,
  FunctionDeclaration,
  Library,
  Macro,
  Overload,
  SizeProvider,
} from './extension.ts';
import { macroKey, type ParseOptions } from './parse/node-parser.ts';
import { type CelType, dynType, typeOfType } from './values/types.ts';

/** What an environment is made of, or extended by. */
export interface EnvironmentOptions {
  readonly libraries?: readonly Library[];
  readonly variables?: Readonly<Record<string, CelType>>;
  readonly constants?: readonly Constant[];
  readonly types?: readonly CelType[];
  readonly typeFamilies?: readonly TypeFamily[];
  readonly typeNames?: Readonly<Record<string, CelType>>;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** The namespace in which names are looked up first. */
  readonly container?: string;
  /** Elements of a list or map literal must agree in type, unless one is dyn. */
  readonly homogeneousLiterals?: boolean;
  /** Checks beyond types, such as that a literal regular expression compiles. */
  readonly validators?: readonly ExpressionValidator[];
  readonly costModel?: CostModel;
  /** Declared sizes of variables and fields, for the estimate of cost. */
  readonly sizes?: SizeProvider;
  /** Whether fields may be written in backticks; true by default. */
  readonly quotedFields?: boolean;
  readonly maxDepth?: number;
  readonly maxCodePoints?: number;
}

/** Types that are made when an expression names them: `root`, and every name below it. */
export interface TypeFamily {
  readonly root: string;
  type(name: string): CelType;
}

export interface Identifier {
  readonly name: string;
  readonly type: CelType;
  /** Set for constants and names of types. */
  readonly constant: Constant | undefined;
}

type Settings = Required<
  Pick<
    EnvironmentOptions,
    | 'container'
    | 'homogeneousLiterals'
    | 'validators'
    | 'costModel'
    | 'sizes'
    | 'quotedFields'
    | 'maxDepth'
    | 'maxCodePoints'
  >
>;

const defaults: Settings = {
  container: '',
  homogeneousLiterals: false,
  validators: [],
  costModel: {},
  sizes: { estimateSize: () => undefined },
  quotedFields: true,
  maxDepth: 250,
  maxCodePoints: 100_000,
};

/** What expressions may use: libraries, variables, functions, types. */
export class Environment {
  readonly settings: Settings;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly optionalSyntax: boolean;
  /** What the parser needs to know. */
  readonly parsing: ParseOptions;
  private readonly identifiers: ReadonlyMap<string, Identifier>;
  private readonly types: ReadonlyMap<string, CelType>;
  private readonly families: readonly TypeFamily[];
  private readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** The first segments of qualified names that are declared. */
  private readonly namespaces: ReadonlySet<string>;

  constructor(options: EnvironmentOptions, base?: Environment) {
    const libraries = [...(options.libraries ?? []), options];
    this.settings = { ...(base?.settings ?? defaults), ...withoutUndefined(pickSettings(options)) };
    this.macros = mergeMacros(base?.macros, libraries);
    this.functions = mergeFunctions(base?.functions, libraries);
    this.types = mergeTypes(base?.types, libraries);
    this.families = [...(base?.families ?? []), ...(options.typeFamilies ?? [])];
    this.identifiers = mergeIdentifiers(base?.identifiers, libraries, options.variables ?? {});
    this.namespaces = namespacesOf(base?.namespaces, [
      ...libraries.flatMap(namesIn),
      ...Object.keys(options.variables ?? {}),
      ...(options.typeFamilies ?? []).map(({ root }) => `${root}.`),
    ]);
    this.optionalSyntax =
      base?.optionalSyntax === true ||
      (options.libraries ?? []).some((library) => library.optionalSyntax === true);
    const sameMacros = base !== undefined && base.macros === this.macros;
    const macroNames = sameMacros
      ? base.parsing.macroNames
      : new Set([...this.macros.values()].map((macro) => macro.name));
    this.parsing = { ...this.settings, macros: this.macros, macroNames, optionalSyntax: this.optionalSyntax };
  }

  extend(options: EnvironmentOptions): Environment {
    return new Environment(options, this);
  }

  /**
   * The names that a name may refer to within the container, the innermost first. A leading dot means the
   * absolute name.
   */
  candidates(name: string): readonly string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    const { container } = this.settings;
    if (container === '') return [name];
    const parts = container.split('.');
    return [...parts.map((_, index) => `${parts.slice(0, parts.length - index).join('.')}.${name}`), name];
  }

  /**
   * Whether any declared name begins with `root.`; most selections are of variables, and need no lookup of
   * qualified names.
   */
  isNamespace(root: string): boolean {
    return this.settings.container !== '' || root.startsWith('.') || this.namespaces.has(root);
  }

  identifier(name: string): Identifier | undefined {
    if (this.settings.container === '' && !name.startsWith('.'))
      return this.identifiers.get(name) ?? this.typeIdentifier(name);
    for (const candidate of this.candidates(name)) {
      const found = this.identifiers.get(candidate) ?? this.typeIdentifier(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private typeIdentifier(name: string): Identifier | undefined {
    const type = this.typeNamed(name);
    if (type === undefined) return undefined;
    const typed = typeOfType(type);
    return { name, type: typed, constant: { name, type: typed, value: type } };
  }

  type(name: string): CelType | undefined {
    for (const candidate of this.candidates(name)) {
      const found = this.typeNamed(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private typeNamed(name: string): CelType | undefined {
    const known = this.types.get(name);
    if (known !== undefined || this.families.length === 0) return known;
    return this.families.find(({ root }) => name === root || name.startsWith(`${root}.`))?.type(name);
  }

  function(name: string): FunctionDeclaration | undefined {
    if (this.settings.container === '' && !name.startsWith('.')) return this.functions.get(name);
    for (const candidate of this.candidates(name)) {
      const found = this.functions.get(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const settingNames = [
  'container',
  'homogeneousLiterals',
  'validators',
  'costModel',
  'sizes',
  'quotedFields',
  'maxDepth',
  'maxCodePoints',
] as const;

function pickSettings(options: EnvironmentOptions): Partial<Settings> {
  return Object.fromEntries(settingNames.map((name) => [name, options[name]])) as Partial<Settings>;
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}

type Declarations = Pick<Library, 'macros' | 'functions' | 'types' | 'typeNames' | 'constants'>;

function mergeMacros(
  base: ReadonlyMap<string, Macro> | undefined,
  from: readonly Declarations[],
): ReadonlyMap<string, Macro> {
  const added = from.flatMap((library) => library.macros ?? []);
  if (base !== undefined && added.length === 0) return base;
  const merged = new Map(base);
  for (const macro of added) merged.set(macroKey(macro.name, macro.args, macro.receiver), macro);
  return merged;
}

function mergeFunctions(
  base: ReadonlyMap<string, FunctionDeclaration> | undefined,
  from: readonly Declarations[],
): ReadonlyMap<string, FunctionDeclaration> {
  const added = from.flatMap((library) => library.functions ?? []);
  if (base !== undefined && added.length === 0) return base;
  const merged = new Map(base);
  for (const declaration of added) {
    const known = merged.get(declaration.name)?.overloads ?? [];
    merged.set(declaration.name, {
      name: declaration.name,
      overloads: mergeOverloads(known, declaration.overloads),
    });
  }
  return merged;
}

/** A later overload with the same id replaces the earlier one. */
function mergeOverloads(known: readonly Overload[], added: readonly Overload[]): readonly Overload[] {
  const ids = new Set(added.map((overload) => overload.id));
  return [...known.filter((overload) => !ids.has(overload.id)), ...added];
}

function mergeTypes(
  base: ReadonlyMap<string, CelType> | undefined,
  from: readonly Declarations[],
): ReadonlyMap<string, CelType> {
  const added = from.flatMap((library) => namedTypes(library));
  return base !== undefined && added.length === 0 ? base : new Map([...(base ?? []), ...added]);
}

function namedTypes({ types = [], typeNames = {} }: Declarations): readonly (readonly [string, CelType])[] {
  return [...types.map((type) => [type.name, type] as const), ...Object.entries(typeNames)];
}

function namesIn(library: Declarations): readonly string[] {
  const { functions = [], constants = [] } = library;
  return [
    ...functions.map(({ name }) => name),
    ...constants.map(({ name }) => name),
    ...namedTypes(library).map(([name]) => name),
  ];
}

function namespacesOf(base: ReadonlySet<string> | undefined, added: readonly string[]): ReadonlySet<string> {
  const qualified = added.filter((name) => name.includes('.'));
  return base !== undefined && qualified.length === 0
    ? base
    : new Set([...(base ?? []), ...qualified.map((name) => name.slice(0, name.indexOf('.')))]);
}

function mergeIdentifiers(
  base: ReadonlyMap<string, Identifier> | undefined,
  from: readonly Declarations[],
  variables: Readonly<Record<string, CelType>>,
): ReadonlyMap<string, Identifier> {
  const merged = new Map(base);
  for (const constant of from.flatMap((library) => library.constants ?? [])) {
    merged.set(constant.name, { name: constant.name, type: constant.type, constant });
  }
  for (const [name, type] of Object.entries(variables))
    merged.set(name, { name, type: type ?? dynType, constant: undefined });
  return merged;
}
