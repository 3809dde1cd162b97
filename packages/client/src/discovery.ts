// The resources that a server serves: read from aggregated discovery, or group by group from a server without
// it. Cached until refreshed.

import { groupsOfAggregated, resourcesOfList } from './discovery-documents.ts';
import type { CallOptions, DiscoveredGroup, RawAnswer, RawRequest, ResourceInfo } from './kube-api.ts';
import { apiErrorOf } from './transport/api-error-of.ts';

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

type Send = (request: RawRequest) => Promise<RawAnswer>;

interface GroupVersions {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version: string };
}

export class Discovery {
  readonly #send: Send;
  #groups: Promise<readonly DiscoveredGroup[]> | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  groups(options: CallOptions & { readonly refresh?: boolean } = {}): Promise<readonly DiscoveredGroup[]> {
    const { refresh, ...call } = options;
    if (refresh || this.#groups === undefined) {
      const pending = this.#read(call);
      this.#groups = pending;
      pending.catch(() => {
        if (this.#groups === pending) this.#groups = undefined;
      });
    }
    return this.#groups!;
  }

  /** Refreshes before it reports that there is no such resource. */
  async find(
    pick: (groups: readonly DiscoveredGroup[]) => ResourceInfo | undefined,
    options?: CallOptions,
  ): Promise<ResourceInfo | undefined> {
    const known = this.#groups === undefined ? undefined : pick(await this.groups(options));
    return known ?? pick(await this.groups({ ...options, refresh: true }));
  }

  async #read(options: CallOptions): Promise<readonly DiscoveredGroup[]> {
    const [core, others] = await Promise.all(['/api', '/apis'].map((path) => this.#readRoot(path, options)));
    return [...core!, ...others!];
  }

  async #readRoot(path: string, options: CallOptions): Promise<readonly DiscoveredGroup[]> {
    const answer = await this.#json(path, AGGREGATED, options);
    if (answer === undefined) return [];
    if (answer['kind'] === 'APIGroupDiscoveryList') return groupsOfAggregated(answer);
    const groups = path === '/api' ? [legacyGroup(answer)] : ((answer['groups'] ?? []) as GroupVersions[]);
    return Promise.all(groups.map((group) => this.#readGroup(path, group, options)));
  }

  async #readGroup(path: string, group: GroupVersions, options: CallOptions): Promise<DiscoveredGroup> {
    const preferred = group.preferredVersion?.version;
    const versions = group.versions
      .map(({ version }) => version)
      .sort((a, b) => Number(b === preferred) - Number(a === preferred));
    const root = group.name === '' ? path : `${path}/${group.name}`;
    // One unavailable version (an aggregated API server that is down) must not hide the others.
    const lists = await Promise.all(
      versions.map((version) =>
        this.#json(`${root}/${version}`, 'application/json', options).catch(() => undefined),
      ),
    );
    return {
      group: group.name,
      versions,
      resources: lists.flatMap((list, at) =>
        list === undefined ? [] : resourcesOfList(list, { group: group.name, version: versions[at]! }),
      ),
    };
  }

  async #json(
    path: string,
    accept: string,
    options: CallOptions,
  ): Promise<Record<string, unknown> | undefined> {
    const answer = await this.#send({ ...options, method: 'GET', path, headers: { accept } });
    if (answer.status === 404) return undefined;
    if (answer.status >= 300) throw apiErrorOf(answer.status, answer.body, `GET ${path}`);
    return JSON.parse(Buffer.from(answer.body).toString('utf8')) as Record<string, unknown>;
  }
}

function legacyGroup(answer: Record<string, unknown>): GroupVersions {
  return { name: '', versions: ((answer['versions'] ?? []) as string[]).map((version) => ({ version })) };
}
