// A client changes an object in the other version: exactly that change arrives. Converted forward again it is
// the changed object (so nothing stale was restored, and nothing was lost), and what the other version cannot
// see is unchanged.
import { deepCopy, type JsonObject } from '@instar/machinery';
import { describeEdit } from '../edit/edit.ts';
import { type Edited, makeEdit, withEdit } from '../edit/make-edit.ts';
import { faultsOf } from '../generate/repair.ts';
import { broken, HELD, type Law, type LawVerdict, UNASKED } from '../law.ts';
import { settled } from '../subject.ts';
import type { Trial } from '../trial.ts';
import { needlessChange } from './needless-change.ts';

export const edit: Law = {
  name: 'edit',
  title: 'a change made in the other version arrives, and nothing else changes',
  async check(trial) {
    const seen = await trial.seen();
    if (seen === undefined) return UNASKED;
    const edits = seen.map((object) => editOf(object, trial));
    const made = [...edits.keys()].filter((index) => edits[index] !== undefined);
    return made.length === 0 ? UNASKED : judge(trial, seen, made, edits as Edited[]);
  },
};

function editOf(object: JsonObject, { settings }: Trial): Edited | undefined {
  const { to, dice, comparer, edit: given } = settings;
  if (faultsOf(object, to.schema).length > 0) return undefined;
  if (given === undefined) return makeEdit(object, to, comparer.stashKeys, dice);
  const edited = withEdit(object, given, to);
  return edited === undefined ? undefined : { edit: given, object: edited };
}

async function judge(
  trial: Trial,
  seen: readonly JsonObject[],
  made: readonly number[],
  edits: readonly Edited[],
): Promise<LawVerdict> {
  const { conversion, comparer, from, to } = trial.settings;
  const fail = (
    index: number,
    message: string,
    rest: { differences?: ReturnType<typeof comparer.differences>; arrived?: JsonObject },
  ): LawVerdict =>
    broken({
      index,
      message: `${describeEdit(edits[index]!.edit)} in ${to.name}: ${message}`,
      differences: rest.differences ?? [],
      edit: edits[index]!.edit,
      shown: [
        { title: `in ${to.name}, before the change`, object: seen[index]! },
        ...(rest.arrived === undefined
          ? []
          : [{ title: `in ${from.name}, after the change`, object: rest.arrived }]),
      ],
    });
  const back = await conversion.run(
    made.map((index) => edits[index]!.object),
    from.apiVersion,
  );
  if ('failure' in back)
    return fail(made[0]!, `the changed object does not convert to ${from.name}: ${back.failure}`, {});
  const arrived = back.objects.map((object) => settled(deepCopy(object), from));
  const again = await conversion.run(arrived, to.apiVersion);
  if ('failure' in again)
    return fail(made[0]!, `what came to ${from.name} does not convert to ${to.name}: ${again.failure}`, {});
  for (const [position, index] of made.entries()) {
    const rest = { arrived: arrived[position]! };
    const returned = settled(deepCopy(again.objects[position] ?? {}), to);
    const differences = comparer.differences(edits[index]!.object, returned);
    if (differences.length > 0)
      return fail(index, `that is not what ${from.name} shows to ${to.name}`, { ...rest, differences });
    const needless = await needlessChange(trial, {
      before: trial.objects[index]!,
      after: arrived[position]!,
      seen: seen[index]!,
      edited: edits[index]!.object,
      edit: edits[index]!.edit,
    });
    if (needless.length > 0)
      return fail(index, `something else changed in ${from.name}, which ${to.name} does not show`, {
        ...rest,
        differences: needless,
      });
  }
  return HELD(made.length);
}
