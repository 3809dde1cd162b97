// The steps from a version that everybody may use to one that is gone, in the order in which they can be
// taken, with what each would do now. Pure: a reading of how things stand goes in. Doing them is in
// do-step.ts.
import { activeClients, type Standing } from './standing.ts';

export type StepName =
  | 'deprecate'
  | 'switch-storage'
  | 'migrate'
  | 'prune'
  | 'clients'
  | 'managed-fields'
  | 'stop-serving'
  | 'remove';

export interface Step {
  readonly name: StepName;
  readonly title: string;
  /** done: nothing left to do. open: can be done now. blocked: something else must come first. */
  readonly state: 'done' | 'open' | 'blocked';
  /** What is in the way, or what there is to know. */
  readonly notes: readonly string[];
  readonly undo: string;
}

export interface StepOptions {
  /** A client that was not seen for so long counts as gone. */
  readonly quietMs: number;
  readonly now: number;
}

export function stepsOf(standing: Standing, options: StepOptions): Step[] {
  const readings = [deprecate, switchStorage, migrate, prune, clients, managedFields, stopServing, remove];
  return readings.map((read) => read(standing, options));
}

const objects = (count: number): string => `${count} ${count === 1 ? 'object' : 'objects'}`;

function deprecate({ version, deprecated, defined }: Standing): Step {
  return {
    name: 'deprecate',
    title: `mark ${version} as deprecated, so that its clients are warned`,
    state: deprecated || !defined ? 'done' : 'open',
    notes: [],
    undo: 'the mark is taken away',
  };
}

function switchStorage({ version, isStorage, to }: Standing): Step {
  const name = 'switch-storage';
  const undo = `${version} is made the storage version again`;
  const title = `store new writes in ${to ?? 'another version'} instead of ${version}`;
  if (!isStorage) return { name, title, state: 'done', notes: [], undo };
  if (to === undefined)
    return { name, title, state: 'blocked', notes: ['no other version is served: add one first'], undo };
  return { name, title, state: 'open', notes: [], undo };
}

function migrate({ version, isStorage, stored, claimed, to }: Standing): Step {
  const name = 'migrate';
  const undo = `objects are written in ${version} again`;
  const title = `rewrite the objects that are stored in ${version}`;
  if (isStorage) return { name, title, state: 'blocked', notes: [`${version} is the storage version`], undo };
  const isDone = stored === undefined ? !claimed : stored === 0;
  const unknown =
    stored === undefined && claimed
      ? [
          'this server does not tell how many there are: all objects are rewritten, which proves that status.storedVersions can be pruned',
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

function prune({ version, stored, claimed, isStorage }: Standing): Step {
  const name = 'prune';
  const undo = `${version} is put back into status.storedVersions`;
  const title = `take ${version} out of status.storedVersions`;
  if (!claimed) return { name, title, state: 'done', notes: [], undo };
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
  return { name, title, state: 'open', notes: ['nothing is stored in it any more'], undo };
}

/** Every server keeps its own, in its data directory. */
const ONE_RECORD = 'this is the record of the server that answered; where several serve, each has its own';

function clients(standing: Standing, { quietMs, now }: StepOptions): Step {
  const { version, served } = standing;
  const step = {
    name: 'clients',
    title: `move every client away from ${version}`,
    undo: 'nothing was changed',
  } as const;
  if (!served) return { ...step, state: 'done', notes: [] };
  const active = activeClients(standing, quietMs, now);
  if (active === undefined) return { ...step, state: 'blocked', notes: unknownClients(standing) };
  if (active.length === 0)
    return { ...step, state: 'done', notes: [`none was seen within ${duration(quietMs)}`, ONE_RECORD] };
  const notes = active.map(
    ({ user, userAgent, reads, writes, openWatches, lastSeen }) =>
      `${user}, ${userAgent || 'no user agent'}: ${reads} reads, ${writes} writes, ${openWatches > 0 ? `watching now (${openWatches})` : `last ${duration(now - Date.parse(lastSeen))} ago`}`,
  );
  return { ...step, state: 'blocked', notes: [...notes, ONE_RECORD] };
}

function unknownClients({ clients: read, version }: Standing): string[] {
  const requests = read.known ? undefined : read.requests;
  return [
    'this server does not record who uses which version; its audit log tells, if it has one',
    requests === undefined
      ? 'its metrics cannot be read'
      : `its metrics count ${requests} requests for ${version} since it was started`,
  ];
}

function managedFields({ version, managed, to, sharesFieldNames }: Standing): Step {
  const naming = `${objects(managed)} ${managed === 1 ? 'names' : 'name'} it`;
  const moved = `${naming}; without this step the next write to each would forget who owns what`;
  const dropped = `${naming}; fields may have other names in ${to}, so that these entries go: their managers own nothing until they write again`;
  return {
    name: 'managed-fields',
    title: sharesFieldNames
      ? `move what managedFields say in ${version} to ${to}`
      : `clear what managedFields say in ${version}`,
    state: managed === 0 ? 'done' : 'open',
    notes: managed === 0 ? [] : [sharesFieldNames ? moved : dropped],
    undo: sharesFieldNames
      ? 'nothing: ownership stands in the storage version, which every version reads'
      : 'not possible',
  };
}

function stopServing({ version, served }: Standing): Step {
  const title = `stop serving ${version}; its clients get 404 from then on`;
  return {
    name: 'stop-serving',
    title,
    state: served ? 'open' : 'done',
    notes: [],
    undo: `${version} is served again`,
  };
}

function remove({ version, defined, claimed, isStorage, served }: Standing): Step {
  const notes: string[] = [];
  if (isStorage) notes.push(`${version} is the storage version`);
  else if (claimed) notes.push(`${version} is in status.storedVersions`);
  if (served) notes.push(`${version} is served`);
  const state = !defined ? 'done' : isStorage || claimed || served ? 'blocked' : 'open';
  return {
    name: 'remove',
    title: `remove ${version} from the definition`,
    state,
    notes: defined ? notes : [],
    undo: `${version} is put back as it was`,
  };
}

export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
