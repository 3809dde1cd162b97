// The steps from a version in use to a removed one, in order, with what each would do now. Pure: the state
// goes in. do-step.ts does them.
import { activeClients, type RetirementState } from './retirement-state.ts';

export type StepName =
  | 'deprecate'
  | 'switch-storage'
  | 'migrate'
  | 'prune'
  | 'clients'
  | 'managed-fields'
  | 'stop-serving'
  | 'remove';

/** A step of a retirement and its state. */
export interface RetirementStep {
  readonly name: StepName;
  readonly title: string;
  /** done: nothing left to do. open: can be done now. blocked: something else must be done first. */
  readonly state: 'done' | 'open' | 'blocked';
  /** What blocks it, or what there is to know. */
  readonly notes: readonly string[];
  readonly undo: string;
}

export interface StepOptions {
  /** A client that was not seen for so long counts as gone. */
  readonly quietMs: number;
  readonly now: number;
}

/** The steps of a retirement, each with its state. */
export function stepsOf(retirement: RetirementState, options: StepOptions): RetirementStep[] {
  const readings = [deprecate, switchStorage, migrate, prune, clients, managedFields, stopServing, remove];
  return readings.map((read) => read(retirement, options));
}

const objects = (count: number): string => `${count} ${count === 1 ? 'object' : 'objects'}`;

function deprecate({ version, deprecated, defined }: RetirementState): RetirementStep {
  return {
    name: 'deprecate',
    title: `mark ${version} as deprecated, so that its clients are warned`,
    state: deprecated || !defined ? 'done' : 'open',
    notes: [],
    undo: 'the mark is removed',
  };
}

function switchStorage({ version, isStorage, to }: RetirementState): RetirementStep {
  const name = 'switch-storage';
  const undo = `${version} is made the storage version again`;
  const title = `store new writes in ${to ?? 'another version'} instead of ${version}`;
  if (!isStorage) return { name, title, state: 'done', notes: [], undo };
  if (to === undefined)
    return { name, title, state: 'blocked', notes: ['no other version is served: add one first'], undo };
  return { name, title, state: 'open', notes: [], undo };
}

function migrate({ version, isStorage, stored, isInStoredVersions, to }: RetirementState): RetirementStep {
  const name = 'migrate';
  const undo = `objects are written in ${version} again`;
  const title = `rewrite the objects that are stored in ${version}`;
  if (isStorage) return { name, title, state: 'blocked', notes: [`${version} is the storage version`], undo };
  const isDone = stored === undefined ? !isInStoredVersions : stored === 0;
  const unknown =
    stored === undefined && isInStoredVersions
      ? [
          'this server does not report how many there are: all objects are rewritten, which proves that status.storedVersions can be pruned',
        ]
      : [];
  return {
    name,
    title,
    state: isDone ? 'done' : 'open',
    notes: stored ? [`${objects(stored)} to be rewritten in ${to}`] : unknown,
    undo,
  };
}

function prune({ version, stored, isInStoredVersions, isStorage }: RetirementState): RetirementStep {
  const name = 'prune';
  const undo = `${version} is put back into status.storedVersions`;
  const title = `take ${version} out of status.storedVersions`;
  if (!isInStoredVersions) return { name, title, state: 'done', notes: [], undo };
  const why = isStorage
    ? `${version} is the storage version`
    : stored
      ? `${objects(stored)} are stored in it`
      : undefined;
  if (why !== undefined) return { name, title, state: 'blocked', notes: [why], undo };
  if (stored === undefined)
    return {
      name,
      title,
      state: 'blocked',
      notes: ['only a complete migration proves that nothing is stored in it'],
      undo,
    };
  return { name, title, state: 'open', notes: ['nothing is stored in it any longer'], undo };
}

/** Every server keeps its own, in its data directory. */
const ONE_RECORD = 'this is the record of the server that answered; where several serve, each has its own';

function clients(retirement: RetirementState, { quietMs, now }: StepOptions): RetirementStep {
  const { version, served } = retirement;
  const step = {
    name: 'clients',
    title: `move every client away from ${version}`,
    undo: 'nothing was changed',
  } as const;
  if (!served) return { ...step, state: 'done', notes: [] };
  const active = activeClients(retirement, quietMs, now);
  if (active === undefined) return { ...step, state: 'blocked', notes: unknownClients(retirement) };
  if (active.length === 0)
    return { ...step, state: 'done', notes: [`none was seen within ${duration(quietMs)}`, ONE_RECORD] };
  const notes = active.map(
    ({ user, userAgent, reads, writes, openWatches, lastSeen }) =>
      `${user}, ${userAgent || 'no user agent'}: ${reads} reads, ${writes} writes, ${openWatches > 0 ? `watching now (${openWatches})` : `last ${duration(now - Date.parse(lastSeen))} ago`}`,
  );
  return { ...step, state: 'blocked', notes: [...notes, ONE_RECORD] };
}

function unknownClients({ clients: read, version }: RetirementState): string[] {
  const requests = read.known ? undefined : read.requests;
  return [
    'this server does not record who uses which version; its audit log may show it',
    requests === undefined
      ? 'its metrics cannot be read'
      : `its metrics count ${requests} requests for ${version} since it was started`,
  ];
}

function managedFields({ version, managed, to, sharesFieldNames }: RetirementState): RetirementStep {
  const naming = `${objects(managed)} ${managed === 1 ? 'names' : 'name'} it`;
  const moved = `${naming}; without this step the next write to each would lose who owns what`;
  const dropped = `${naming}; field names may differ in ${to}, so these entries are dropped: their managers own nothing until they write again`;
  return {
    name: 'managed-fields',
    title: sharesFieldNames
      ? `move what managedFields say in ${version} to ${to}`
      : `clear what managedFields say in ${version}`,
    state: managed === 0 ? 'done' : 'open',
    notes: managed === 0 ? [] : [sharesFieldNames ? moved : dropped],
    undo: sharesFieldNames
      ? 'nothing: ownership is recorded in the storage version, which every version reads'
      : 'not possible',
  };
}

function stopServing({ version, served }: RetirementState): RetirementStep {
  const title = `stop serving ${version}; its clients get 404 from then on`;
  return {
    name: 'stop-serving',
    title,
    state: served ? 'open' : 'done',
    notes: [],
    undo: `${version} is served again`,
  };
}

function remove({
  version,
  defined,
  isInStoredVersions,
  isStorage,
  served,
}: RetirementState): RetirementStep {
  const notes: string[] = [];
  if (isStorage) notes.push(`${version} is the storage version`);
  else if (isInStoredVersions) notes.push(`${version} is in status.storedVersions`);
  if (served) notes.push(`${version} is served`);
  const state = !defined ? 'done' : isStorage || isInStoredVersions || served ? 'blocked' : 'open';
  return {
    name: 'remove',
    title: `remove ${version} from the definition`,
    state,
    notes: defined ? notes : [],
    undo: `${version} is put back as it was`,
  };
}

function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
