// Which of its names a definition gets: those that no other definition of its group holds. Conflicts show in
// a condition; a definition without all of its names is not served.

import { quoteGo } from '@instar/go';
import { deepEqual, type JsonValue } from '@instar/machinery';
import { findCondition, isSameCondition, type NewCondition } from './conditions.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from './types.ts';

export interface NamesDecision {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly namesAccepted: NewCondition;
  readonly established: NewCondition;
  /** False: the status says so already, and need not be written. */
  readonly changed: boolean;
}

/** True once the definition has all the names it asks for: nothing is left to decide. */
export function hasAllNames({ spec, status }: CustomResourceDefinition): boolean {
  return sameJson(comparable(spec.names), comparable(status.acceptedNames));
}

/**
 * `all` may contain definitions of other groups, and the definition itself: its own names count as taken too,
 * as upstream has it.
 */
export function decideNames(crd: CustomResourceDefinition, all: Iterable<NamedDefinition>): NamesDecision {
  const taken = takenNames(crd, all);
  const acceptedNames = { ...crd.status.acceptedNames };
  const conflict = new NameChoice(crd, taken, acceptedNames).run();
  const namesAccepted: NewCondition = conflict ?? {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  const changed =
    !sameJson(acceptedNames, crd.status.acceptedNames) ||
    !isSameCondition(namesAccepted, findCondition(crd, 'NamesAccepted'));
  return { acceptedNames, namesAccepted, established: establishedAfter(crd, namesAccepted), changed };
}

/** The part of a definition that decides about the names of others. */
export interface NamedDefinition {
  readonly spec: Pick<CustomResourceDefinition['spec'], 'group'>;
  readonly status: Pick<CustomResourceDefinition['status'], 'acceptedNames'>;
}

interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function takenNames(crd: CustomResourceDefinition, all: Iterable<NamedDefinition>): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { spec, status } of [crd, ...all]) {
    if (spec.group !== crd.spec.group) continue;
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames;
    for (const name of [plural, singular, ...shortNames]) resources.add(name);
    for (const name of [kind, listKind]) kinds.add(name);
  }
  return { resources, kinds };
}

/**
 * Continues after a conflict, so that as many names as possible are accepted; the last conflict is reported.
 */
class NameChoice {
  readonly #wanted: CustomResourceDefinitionNames;
  readonly #had: CustomResourceDefinitionNames;
  readonly #taken: TakenNames;
  readonly #accepted: CustomResourceDefinitionNames;
  #conflict: NewCondition | undefined;

  constructor(crd: CustomResourceDefinition, taken: TakenNames, accepted: CustomResourceDefinitionNames) {
    this.#wanted = crd.spec.names;
    this.#had = crd.status.acceptedNames;
    this.#taken = taken;
    this.#accepted = accepted;
  }

  run(): NewCondition | undefined {
    this.#choose('plural', this.#taken.resources, 'PluralConflict');
    this.#choose('singular', this.#taken.resources, 'SingularConflict');
    this.#chooseShortNames();
    this.#choose('kind', this.#taken.kinds, 'KindConflict');
    this.#choose('listKind', this.#taken.kinds, 'ListKindConflict');
    setOrDelete(this.#accepted, 'categories', this.#wanted.categories);
    return this.#conflict;
  }

  #choose(
    field: 'plural' | 'singular' | 'kind' | 'listKind',
    taken: ReadonlySet<string>,
    reason: string,
  ): void {
    const wanted = this.#wanted[field] ?? '';
    if (wanted !== (this.#had[field] ?? '') && taken.has(wanted)) this.#refuse(reason, inUse(wanted));
    else setOrDelete(this.#accepted, field, this.#wanted[field]);
  }

  #chooseShortNames(): void {
    const had = new Set(this.#had.shortNames);
    const conflicts = (this.#wanted.shortNames ?? []).filter(
      (name) => !had.has(name) && this.#taken.resources.has(name),
    );
    if (conflicts.length === 0) setOrDelete(this.#accepted, 'shortNames', this.#wanted.shortNames);
    else this.#refuse('ShortNamesConflict', together([...new Set(conflicts.map(inUse))]));
  }

  #refuse(reason: string, message: string): void {
    this.#conflict = { type: 'NamesAccepted', status: 'False', reason, message };
  }
}

const together = (messages: string[]): string =>
  messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;
const inUse = (name: string): string => `${quoteGo(name)} is already in use`;

function setOrDelete<F extends keyof CustomResourceDefinitionNames>(
  names: CustomResourceDefinitionNames,
  field: F,
  value: CustomResourceDefinitionNames[F] | undefined,
): void {
  if (value === undefined) delete names[field];
  else names[field] = value;
}

/**
 * Established stays true, whatever happens to names later. It becomes true in a second step, see
 * establishing.ts.
 */
function establishedAfter(crd: CustomResourceDefinition, namesAccepted: NewCondition): NewCondition {
  const old = findCondition(crd, 'Established');
  if (old?.status !== 'True' && namesAccepted.status === 'True') {
    return {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    };
  }
  if (old === undefined)
    return {
      type: 'Established',
      status: 'False',
      reason: 'NotAccepted',
      message: 'not all names are accepted',
    };
  return { type: 'Established', status: old.status, reason: old.reason ?? '', message: old.message ?? '' };
}

/** An absent list of names equals an empty one. */
function comparable(names: CustomResourceDefinitionNames): Record<string, JsonValue> {
  const { plural, singular = '', shortNames = [], kind, listKind = '', categories = [] } = names;
  return { plural, singular, shortNames, kind, listKind, categories };
}

function sameJson(a: object, b: object): boolean {
  return deepEqual(a as JsonValue, b as JsonValue);
}
