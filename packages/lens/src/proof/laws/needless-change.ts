// Changes that an edit caused beyond itself. For a black box it is not known which fields belong together;
// but a field that the other version does not show, that is in no list together with what the edit changed,
// and that could have stayed unchanged, should have.
import { deepCopy, type JsonObject, type JsonValue } from '@instar/machinery';
import type { Difference } from '../difference.ts';
import type { Edit } from '../edit/edit.ts';
import { faultsOf } from '../generate/repair.ts';
import { removeAt, setAt, type ValuePath, valueAt } from '../generate/value-path.ts';
import { settled } from '../subject.ts';
import type { Trial } from '../trial.ts';

export interface ObservedChange {
  /** In the version that the object came from. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** In the version in which the edit was made. */
  readonly seen: JsonObject;
  readonly edited: JsonObject;
  readonly edit: Edit;
}

const MAX_PROBED = 12;

export async function needlessChange(
  trial: Trial,
  { before, after, seen, edited, edit }: ObservedChange,
): Promise<Difference[]> {
  const { comparer } = trial.settings;
  const differences = comparer.differences(before, after).slice(0, MAX_PROBED);
  const hidden = await hiddenAmong(trial, differences, before, seen);
  const visible = differences.filter((one) => !hidden.includes(one));
  const ofWhole = isOfWhole(edit, seen);
  const isRelated = (place: ValuePath, other: Difference): boolean =>
    shareList(place, other.place) ||
    (ofWhole && !isWhole(other.expected) && !isWhole(other.got) && shareParent(place, other.place));
  const apart = hidden.filter(({ place }) => !visible.some((other) => isRelated(place, other)));
  const needless: Difference[] = [];
  for (const one of apart) if (await couldStay(trial, one, after, edited)) needless.push(one);
  return needless;
}

/** Those that, made alone, change nothing in the other version. */
async function hiddenAmong(
  trial: Trial,
  differences: readonly Difference[],
  before: JsonObject,
  seen: JsonObject,
): Promise<Difference[]> {
  // Most edits change one path only.
  if (differences.length < 2) return [];
  const views = await viewsOf(
    trial,
    differences.map(({ place, got }) => replaced(before, place, got)),
  );
  return differences.filter(
    (_, index) => views[index] !== undefined && trial.settings.comparer.areAlike(seen, views[index]),
  );
}

async function couldStay(
  trial: Trial,
  { place, expected }: Difference,
  after: JsonObject,
  edited: JsonObject,
): Promise<boolean> {
  const { from, comparer } = trial.settings;
  const kept = settled(replaced(after, place, expected), from);
  if (faultsOf(kept, from.schema).length > 0) return false;
  const [view] = await viewsOf(trial, [kept]);
  return view !== undefined && comparer.areAlike(edited, view);
}

async function viewsOf(trial: Trial, objects: readonly JsonObject[]): Promise<(JsonObject | undefined)[]> {
  const { conversion, to } = trial.settings;
  const converted = await conversion.run(objects, to.apiVersion);
  return objects.map((_, index) =>
    'failure' in converted ? undefined : settled(deepCopy(converted.objects[index] ?? {}), to),
  );
}

function replaced(object: JsonObject, place: ValuePath, value: Difference['got']): JsonObject {
  const copy = deepCopy(object);
  if (value === undefined) removeAt(copy, place);
  else setAt(copy, place, deepCopy(value));
  return copy;
}

/** A client that replaces or removes a whole object means everything that belongs to it. */
function isOfWhole(edit: Edit, seen: JsonObject): boolean {
  return isWhole(edit.kind === 'set' ? edit.value : valueAt(seen, edit.place));
}

const isWhole = (value: JsonValue | undefined): boolean => typeof value === 'object' && value !== null;

const shareParent = (a: ValuePath, b: ValuePath): boolean =>
  a.length === b.length && a.slice(0, -1).every((step, depth) => step === b[depth]);

/** Whether two paths are in the same list, or one inside the other. */
function shareList(a: ValuePath, b: ValuePath): boolean {
  let common = 0;
  while (common < Math.min(a.length, b.length) && a[common] === b[common]) common++;
  return (
    common === Math.min(a.length, b.length) ||
    (typeof a[common] === 'number' && typeof b[common] === 'number') ||
    a.slice(0, common).some((step) => typeof step === 'number')
  );
}
