// Clients that use the API as kubectl and controllers do. Each knows what it wrote, and what it reads must be
// that: an acknowledged write that is missing is a fault, and so is any status that is not expected.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, isWithoutAnswer } from './client.mjs';
import { CRDS, cronTabs, definition, GADGETS, GROUP, HISTORY_SECONDS, MAPS } from './definitions.mjs';

const OBJECTS = 15;

class GoodClient {
  constructor(soak, sort, protocol, random) {
    this.soak = soak;
    this.sort = `${sort} (${protocol})`;
    this.random = random;
    this.client = new Client(soak.access, protocol);
  }

  async run() {
    while (!this.soak.isOver()) {
      const began = Date.now();
      try {
        await this.step();
      } catch (error) {
        const isExplained = isWithoutAnswer(error) && this.soak.starvation.explains(began);
        if (isExplained) this.soak.report.explained(this.sort);
        else this.soak.report.fault(this.sort, error.stack ?? error);
        await sleep(500);
      }
      await sleep(this.random.between(0, 25));
    }
  }

  /** The answer, which must have one of these statuses; undefined if something explains another. */
  async send(method, path, body, statuses, options = {}) {
    const began = performance.now();
    const answer = await this.client.send(method, path, body, options);
    this.soak.report.done(this.sort, performance.now() - began);
    if (statuses.includes(answer.status)) return answer;
    if (options.explains?.(answer)) {
      this.soak.report.explained(this.sort);
      return undefined;
    }
    const detail = JSON.stringify(answer.body).slice(0, 400);
    throw new Error(`${method} ${path}: ${answer.status}, not ${statuses.join(' or ')}: ${detail}`);
  }

  same(what, actual, wanted) {
    const [one, other] = [JSON.stringify(actual), JSON.stringify(wanted)];
    if (one !== other) this.soak.report.fault(this.sort, `${what}: ${one}, not ${other}`);
  }

  close() {
    return this.client.close();
  }
}

/** Creates, reads, updates, patches, applies and deletes its own objects of one resource. */
export class Writer extends GoodClient {
  #model = new Map();
  #uncertain = new Set();
  #count = 0;

  constructor(soak, id, protocol, random, path) {
    super(soak, path === MAPS ? 'write ConfigMaps' : 'write custom resources', protocol, random);
    this.id = id;
    this.path = path;
  }

  get #isMap() {
    return this.path === MAPS;
  }

  #object(name, value, extra = {}) {
    const metadata = { name, labels: { soak: 'yes', writer: this.id }, ...extra };
    return this.#isMap
      ? { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } }
      : { apiVersion: `${GROUP}/v1`, kind: 'Gadget', metadata, spec: { value } };
  }

  #valueOf(object) {
    return this.#isMap ? object.data?.value : object.spec?.value;
  }

  #wrote({ body }) {
    this.#model.set(body.metadata.name, {
      value: this.#valueOf(body),
      version: body.metadata.resourceVersion,
      uid: body.metadata.uid,
    });
  }

  async step() {
    const name = `${this.id}-${this.random.between(0, OBJECTS - 1)}`;
    try {
      if (this.#uncertain.has(name)) await this.#adopt(name);
      await this.#stepOn(name);
    } catch (error) {
      if (isWithoutAnswer(error)) this.#uncertain.add(name);
      throw error;
    }
  }

  /** After a write that got no answer, and may have happened or not. */
  async #adopt(name) {
    const answer = await this.send('GET', `${this.path}/${name}`, undefined, [200, 404]);
    this.#model.delete(name);
    if (answer.status === 200) this.#wrote(answer);
    this.#uncertain.delete(name);
  }

  async #stepOn(name) {
    const known = this.#model.get(name);
    const value = `${++this.#count}-${'x'.repeat(this.random.between(0, 2000))}`;
    const at = `${this.path}/${name}`;
    if (known === undefined) return this.#stepOnAbsent(name, at, value);
    switch (this.random.between(0, 6)) {
      case 0:
        return this.#wrote(
          await this.send('PUT', at, this.#object(name, value, { resourceVersion: known.version }), [200]),
        );
      case 1: {
        const patch = this.#isMap ? { data: { value } } : { spec: { value } };
        return this.#wrote(await this.send('PATCH', at, patch, [200], { patch: 'merge' }));
      }
      case 2: {
        const query = '?fieldManager=soak&force=true';
        const applied = this.#object(name, value);
        return this.#wrote(await this.send('PATCH', at + query, applied, [200], { patch: 'apply' }));
      }
      case 3:
        await this.send('DELETE', at, undefined, [200]);
        return void this.#model.delete(name);
      case 4:
        return void (await this.send('POST', this.path, this.#object(name, value), [409]));
      case 5:
        return void (await this.send(
          'PUT',
          at,
          this.#object(name, value, { resourceVersion: String(Number(known.version) - 1) }),
          [409],
        ));
      default:
        return this.#check(name, (await this.send('GET', at, undefined, [200])).body);
    }
  }

  async #stepOnAbsent(name, at, value) {
    if (this.random.between(0, 3) === 0) return void (await this.send('GET', at, undefined, [404]));
    this.#wrote(await this.send('POST', this.path, this.#object(name, value), [201]));
  }

  #check(name, object) {
    const { value, version, uid } = this.#model.get(name);
    const { resourceVersion, uid: actual } = object.metadata;
    this.same(name, [this.#valueOf(object), resourceVersion, actual], [value, version, uid]);
  }

  /** Everything that was acknowledged, and nothing else, exists. */
  async finish() {
    for (const name of this.#uncertain) await this.#adopt(name);
    const list = await this.send('GET', `${this.path}?labelSelector=writer%3D${this.id}`, undefined, [200]);
    this.same(
      'the names at the end',
      list.body.items.map(({ metadata }) => metadata.name).sort(),
      [...this.#model.keys()].sort(),
    );
    for (const item of list.body.items)
      if (this.#model.has(item.metadata.name)) this.#check(item.metadata.name, item);
  }
}

/** Lists in pages and by selectors; each list must be consistent in itself. */
export class Lister extends GoodClient {
  constructor(soak, protocol, random) {
    super(soak, 'list', protocol, random);
  }

  async step() {
    await (this.random.between(0, 2) === 0 ? this.#selected() : this.#paged());
    await sleep(this.random.between(0, 200));
  }

  async #paged() {
    const path = this.random.pick([MAPS, GADGETS]);
    const limit = this.random.between(5, 40);
    const [names, versions] = [[], new Set()];
    const began = Date.now();
    // On a busy machine the pages may take longer than history is kept.
    const explains = ({ status }) => status === 410 && Date.now() - began > HISTORY_SECONDS * 800;
    for (let next = ''; ; ) {
      const query = `?limit=${limit}${next && `&continue=${encodeURIComponent(next)}`}`;
      const answer = await this.send('GET', path + query, undefined, [200], { explains });
      if (answer === undefined) return;
      const { body } = answer;
      names.push(...body.items.map(({ metadata }) => metadata.name));
      versions.add(body.metadata.resourceVersion);
      next = body.metadata.continue ?? '';
      if (next === '') break;
    }
    this.same('the revisions of the pages', versions.size, 1);
    this.same('the names of all pages', names, [...new Set(names)].sort());
  }

  async #selected() {
    const selector = `soak=yes,writer in (w0,w${this.random.between(1, 3)})`;
    const path = this.random.pick([MAPS, GADGETS]);
    const query = `?labelSelector=${encodeURIComponent(selector)}`;
    const { body } = await this.send('GET', path + query, undefined, [200]);
    const wrong = body.items.filter(({ metadata }) => !selector.includes(metadata.labels.writer));
    this.same('objects that were not selected', wrong, []);
  }
}

/** Writes in one version and reads in the other, through the webhook, which fails now and then. */
export class Converter extends GoodClient {
  #possible = new Map();
  #count = 0;

  constructor(soak, id, protocol, random) {
    super(soak, 'convert by webhook', protocol, random);
    this.id = id;
  }

  /** Its objects, before the webhook fails for the first time. */
  async prepare() {
    for (let at = 0; at < OBJECTS; at++) {
      const [kind, name] = ['CronTab', `${this.id}-${at}`];
      const object = { apiVersion: `${GROUP}/v1`, kind, metadata: { name }, spec: { cronSpec: 'first' } };
      await this.send('POST', cronTabs('v1'), object, [201]);
      this.#possible.set(name, new Set(['first']));
    }
  }

  async step() {
    await sleep(this.random.between(0, 60));
    const name = `${this.id}-${this.random.between(0, OBJECTS - 1)}`;
    const [version, field] = this.random.pick([
      ['v1', 'cronSpec'],
      ['v2', 'schedule'],
    ]);
    const began = Date.now();
    const explains = ({ status }) => status >= 500 && this.soak.webhookFaults.explain(began);
    if (this.random.between(0, 1) === 0) return this.#write(name, version, field, explains);
    const possible = this.#possible.get(name);
    const path = `${cronTabs(version)}/${name}`;
    const answer = await this.send('GET', path, undefined, [200], { explains });
    if (answer === undefined) return;
    const value = answer.body.spec[field];
    if (!possible.has(value)) this.same(`${version} of ${name}`, value, [...possible]);
    this.#possible.set(name, new Set([value]));
  }

  /** A write that was answered with an error may have happened or not. */
  async #write(name, version, field, explains) {
    const value = `${++this.#count}`;
    const options = { patch: 'merge', explains };
    const patch = { spec: { [field]: value } };
    this.#possible.get(name).add(value);
    const answer = await this.send('PATCH', `${cronTabs(version)}/${name}`, patch, [200], options);
    if (answer !== undefined) this.#possible.set(name, new Set([value]));
  }

  async finish() {
    for (const [name, possible] of this.#possible) {
      const { body } = await this.send('GET', `${cronTabs('v2')}/${name}`, undefined, [200]);
      if (!possible.has(body.spec.schedule)) this.same(name, body.spec.schedule, [...possible]);
    }
  }
}

/** Creates a definition, uses it, changes it, uses the change, deletes it. */
export class DefinitionAuthor extends GoodClient {
  #count = 0;

  constructor(soak, id, protocol, random) {
    super(soak, 'change definitions', protocol, random);
    this.id = id;
  }

  async step() {
    const plural = `${this.id}things${this.#count++ % 5}`;
    const path = `/apis/${GROUP}/v1/namespaces/default/${plural}`;
    const crd = `${CRDS}/${plural}.${GROUP}`;
    // It exists if an earlier step got no answer.
    await this.send('DELETE', crd, undefined, [200, 404]);
    await this.#until(`${plural} to be removed`, async () => (await this.#status('GET', crd)) === 404);
    const versions = (properties) => definition(plural, `K${plural}`, { v1: properties }).spec.versions;
    await this.send(
      'POST',
      CRDS,
      definition(plural, `K${plural}`, { v1: { one: { type: 'string' } } }),
      [201],
    );
    await this.#until(`${plural} to be served`, async () => (await this.#status('GET', path)) === 200);
    const object = { apiVersion: `${GROUP}/v1`, kind: `K${plural}`, metadata: { name: 'a' } };
    await this.send('POST', path, { ...object, spec: { one: '1' } }, [201]);
    const properties = { one: { type: 'string' }, two: { type: 'string' } };
    await this.send('PATCH', crd, { spec: { versions: versions(properties) } }, [200], { patch: 'merge' });
    await this.#until('the new field to be kept', async () => {
      const patch = { spec: { two: '2' } };
      const { body } = await this.send('PATCH', `${path}/a`, patch, [200], { patch: 'merge' });
      return body.spec.two === '2';
    });
    await this.send('DELETE', crd, undefined, [200]);
    await this.#until(`${plural} to be removed`, async () => (await this.#status('GET', crd)) === 404);
    await sleep(this.random.between(500, 3_000));
  }

  async #status(method, path) {
    return (await this.send(method, path, undefined, [200, 404])).status;
  }

  async #until(what, condition) {
    const deadline = Date.now() + 30_000;
    while (!(await condition())) {
      if (Date.now() > deadline) throw new Error(`waited for ${what} for 30 s`);
      await sleep(50);
    }
  }
}
