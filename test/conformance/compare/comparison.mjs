// One scenario against two servers at once: every request goes to both, and the two answers are compared.
// uids, resourceVersions and times are masked as in the recordings.

import { CRDS } from '../recordings/lib/fixtures.mjs';
import { differences, Masks, normalise } from '../recordings/lib/normalise.mjs';
import { startWebhook } from '../recordings/lib/webhook.mjs';

/** Headers that clients act upon. */
const HEADERS = ['content-type', 'warning', 'retry-after', 'allow', 'location', 'cache-control'];
const SHOWN_CHARACTERS = 700;
const SHOWN_DIFFERENCES = 6;

/** What differs between two servers within texts. */
const maskedTexts = (value) =>
  JSON.parse(
    (JSON.stringify(value) ?? 'null')
      .replaceAll(/(resourceVersion\\+":\\+")\d+/g, '$1<rv>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
      .replaceAll(/in record \(\d+\)/g, 'in record (<rv>)'),
  );

const brief = ({ status, headers, body }) => ({
  status,
  type: headers['content-type'],
  kind: body?.kind,
  reason: body?.reason,
  message: body?.message ?? (typeof body === 'string' ? body : undefined),
});
const shown = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_CHARACTERS);

export class Comparison {
  #id;
  #clients;
  #context;
  #cleanups = [];

  constructor(id, real, ours, context) {
    this.#id = id;
    this.#clients = [real, ours];
    this.#context = context;
  }

  async run(scenario) {
    try {
      await scenario(this);
    } catch (error) {
      this.#context.totals.differ++;
      console.log(`${this.#id} stopped: ${error.stack}`);
    }
    for (const cleanup of this.#cleanups.reverse()) await cleanup().catch(() => undefined);
  }

  /** Compares the answers. `pick` narrows what is compared of the bodies. Returns both bodies. */
  async ask(label, method, target, { body, type, headers, pick = (value) => value } = {}) {
    const request = { body, headers: { ...headers, ...(type !== undefined && { 'content-type': type }) } };
    const answers = [];
    for (const client of this.#clients) {
      const {
        status,
        headers: got,
        body: text,
      } = await client.request(method, target, request).catch(({ code }) => ({ status: code, headers: {} }));
      const compared = Object.fromEntries(
        HEADERS.filter((name) => name in got).map((name) => [name, got[name]]),
      );
      answers.push({
        body: text,
        answer: maskedTexts(
          normalise(
            { status, headers: compared, body: status < 400 && text !== '' ? pick(text) : text },
            new Masks(),
          ),
        ),
      });
    }
    this.#report(label, ...answers.map(({ answer }) => answer));
    return answers.map(({ body: value }) => value);
  }

  #report(label, real, ours) {
    const { totals, departures, isVerbose } = this.#context;
    const step = `${this.#id}#${label}`;
    // Descriptions of columns are in our own words.
    const all = differences(real, ours).filter(({ path }) => !path.endsWith('.description'));
    // Of answers of different kinds, what they are says it all.
    const isOfOneKind = real.status === ours.status && real.body?.kind === ours.body?.kind;
    const found = isOfOneKind ? all : [{ path: '$', expected: brief(real), actual: brief(ours) }];
    totals.requests++;
    if (found.length === 0) totals.same++;
    else if (departures.has(step)) totals.departed++;
    else totals.differ++;
    if (found.length === 0 || (departures.has(step) && !isVerbose)) return;
    console.log(step);
    for (const { path, expected, actual } of found.slice(0, SHOWN_DIFFERENCES))
      console.log(`  ${path}\n    kube-apiserver ${shown(expected)}\n    Instar         ${shown(actual)}`);
  }

  /** Sets the scene at both; must succeed. */
  async setup(method, target, { body, type } = {}) {
    for (const client of this.#clients) {
      const headers = type === undefined ? {} : { 'content-type': type };
      const { status, body: text } = await client.request(method, target, { body, headers });
      if (status >= 300) throw new Error(`set-up ${method} ${target}: ${status} ${shown(text)}`);
    }
  }

  /** Creates an object at both, unless it is there. */
  async ensure(target, body) {
    for (const client of this.#clients) await client.request('POST', target, { body });
  }

  /** Asks both until the status is the same good one. */
  async until(target, isGood = (status) => status < 400) {
    for (const client of this.#clients)
      for (let tries = 0; ; tries++) {
        const { status, body } = await client.request('GET', target);
        if (isGood(status, body)) break;
        if (tries === 300) throw new Error(`GET ${target} is still ${status} ${shown(body)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
  }

  async namespace(name) {
    for (const client of this.#clients)
      await client.request('POST', '/api/v1/namespaces', {
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      });
    return name;
  }

  /** Creates a definition at both and waits until every version is served. */
  async crd(definition) {
    await this.setup('POST', CRDS, { body: definition });
    const { metadata, spec } = definition;
    this.onEnd(() => this.setup('DELETE', `${CRDS}/${metadata.name}`));
    for (const { name, served } of spec.versions) {
      if (!served) continue;
      await this.until(
        `/apis/${spec.group}/${name}`,
        (status, { resources }) =>
          status === 200 && resources.some(({ name: plural }) => plural === spec.names.plural),
      );
      await this.until(`/apis/${spec.group}/${name}/${spec.names.plural}`);
    }
  }

  /** One webhook that both servers call. */
  async webhook(answer) {
    const webhook = await startWebhook(answer);
    this.onEnd(() => webhook.close());
    return webhook;
  }

  onEnd(cleanup) {
    this.#cleanups.push(cleanup);
  }
}
