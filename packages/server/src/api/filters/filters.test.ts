// The filters one by one, without sockets.
import { ApiError, apiErrors } from '@instar/machinery';
import { type Log, SILENT } from '@instar/serving';
import { StoreError } from '@instar/store';
import { describe, expect, it } from 'vitest';
import { chain } from '../../wire/chain.ts';
import type { ApiResponse, Filter, Finisher, Handler, StreamBody } from '../../wire/exchange.ts';
import { isStreamBody } from '../../wire/exchange.ts';
import { type RequestDetails, requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { jsonResponse } from '../../wire/responses.ts';
import { createAuthenticator } from '../auth/authenticator.ts';
import { ALWAYS_ALLOW, type Attributes, type Authorizer } from '../auth/authorizer.ts';
import { authenticatedUser } from '../auth/users.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { authenticateFilter } from './authenticate.ts';
import { authorizeFilter } from './authorize.ts';
import { addCommonHeaders } from './common-headers.ts';
import { errorAnswers } from './errors.ts';
import { finishFilter } from './finish.ts';
import { impersonateFilter } from './impersonate.ts';
import { limitFilter } from './limit.ts';
import { observe } from './observe.ts';
import { requestInfoFilter } from './request-info.ts';
import { addWarnings, warningHeaders } from './warnings.ts';

const okay: Handler = async () => jsonResponse(200, {});
const errors = finishFilter(errorAnswers(SILENT), []);

function run(
  filters: Filter[],
  url: string,
  details: RequestDetails = {},
  last: Handler = okay,
): Promise<ApiResponse> {
  return chain([errors, requestInfoFilter, ...filters], last)(requestWithoutSocket('GET', url, details));
}
const finishing = (finisher: Finisher): Filter => finishFilter(errorAnswers(SILENT), [finisher]);
const textOf = ({ body }: ApiResponse): string => new TextDecoder().decode(body as Uint8Array);

it('runs the first filter first', async () => {
  const order: string[] = [];
  const note =
    (name: string): Filter =>
    (request, next) => {
      order.push(name);
      return next(request);
    };
  await run([note('a'), note('b')], '/');
  expect(order).toEqual(['a', 'b']);
});

describe('errors', () => {
  const failing = (error: unknown) => run([], '/api/v1/pods', {}, () => Promise.reject(error));

  it('writes the Status of an ApiError with its delay', async () => {
    const answer = await failing(apiErrors.tooManyRequests('later', 7));
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '7']);
    expect(textOf(answer)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"later","reason":"TooManyRequests","details":{"retryAfterSeconds":7},"code":429}\n',
    );
  });

  it.each([
    ['compacted', 410],
    ['future-revision', 504],
    ['unavailable', 503],
    ['closed', 503],
    ['full', 500],
    ['corrupt', 500],
    ['invalid', 400],
  ] as const)('maps %s of the store to %i', async (code, status) => {
    expect((await failing(new StoreError(code, 'x'))).status).toBe(status);
  });

  it('writes the reason of an unexpected error to the log only', async () => {
    const logged: object[] = [];
    const filter = finishFilter(errorAnswers({ ...SILENT, error: (fields) => logged.push(fields) }), []);
    const bug = new TypeError('inner workings');
    const answer = await chain([filter], () => Promise.reject(bug))(requestWithoutSocket('GET', '/'));
    expect(answer.status).toBe(500);
    expect(textOf(answer)).not.toContain('inner');
    expect(logged).toMatchObject([{ err: bug }]);
  });

  it('writes the reason of a server error to the log of the request', async () => {
    const logged: object[] = [];
    const log: Log = {
      ...SILENT,
      isLevelEnabled: () => true,
      error: (fields) => logged.push(fields as object),
    };
    const metrics = { finished: () => {} } as unknown as RequestMetrics;
    const filter = finishFilter(errorAnswers(SILENT), [observe(log, metrics)]);
    const fail = chain([filter], () => Promise.reject(apiErrors.internal('the webhook is misconfigured')));
    await fail(requestWithoutSocket('GET', '/'));
    expect(logged).toMatchObject([
      { status: 500, reason: 'Internal error occurred: the webhook is misconfigured' },
    ]);
  });

  it.each(['unavailable', 'full'] as const)('says why the store is %s', async (code) => {
    const answer = await failing(new StoreError(code, 'writing to /data failed: EIO'));
    expect(JSON.parse(textOf(answer)).message).toContain('writing to /data failed: EIO');
  });

  it('also catches what is thrown synchronously', async () => {
    const answer = await run([], '/', {}, () => {
      throw apiErrors.badRequest('no');
    });
    expect(answer.status).toBe(400);
  });
});

describe('authentication', () => {
  const jane = { token: 't1', user: authenticatedUser('jane', '1', ['dev']) };
  const filter = authenticateFilter(
    createAuthenticator({ tokenUsers: [jane], adminToken: 'root' }),
    false,
    SILENT,
  );
  const userWith = async (details: RequestDetails) => {
    const request = requestWithoutSocket('GET', '/api/v1/pods', details);
    await chain([requestInfoFilter, filter], okay)(request);
    return request.user;
  };

  it('accepts tokens, whatever the case of the scheme', async () => {
    expect(await userWith({ headers: { authorization: 'bearer t1' } })).toEqual({
      name: 'jane',
      uid: '1',
      groups: ['dev', 'system:authenticated'],
      extra: {},
    });
    expect((await userWith({ headers: { authorization: 'Bearer root' } })).groups).toContain(
      'system:masters',
    );
  });

  it('accepts client certificates', async () => {
    const clientCertificate = { commonName: 'bob', organizations: ['a', 'b'] };
    expect(await userWith({ clientCertificate })).toMatchObject({
      name: 'bob',
      groups: ['a', 'b', 'system:authenticated'],
    });
  });

  it('prefers a client certificate to a token, unless that is the admin', async () => {
    const clientCertificate = { commonName: 'bob', organizations: [] };
    const both = async (token: string) =>
      (await userWith({ clientCertificate, headers: { authorization: `Bearer ${token}` } })).name;
    expect([await both('t1'), await both('nope'), await both('root')]).toEqual([
      'bob',
      'bob',
      'instar-admin',
    ]);
  });

  it.each([
    {},
    { authorization: 'Bearer nope' },
    { authorization: 'Basic dDE6' },
    { authorization: 'Bearer ' },
  ])('refuses %j', async (headers) => {
    expect((await run([filter], '/api/v1/pods', { headers })).status).toBe(401);
  });

  it.each(['/healthz', '/livez/ping', '/readyz', '/version', '/version/'])(
    'allows anonymous requests for %s',
    async (path) => {
      expect((await run([filter], path)).status).toBe(200);
    },
  );

  it.each(['/healthzz', '/versions', '/metrics', '/api'])(
    'refuses anonymous requests for %s',
    async (path) => {
      expect((await run([filter], path)).status).toBe(401);
    },
  );
});

describe('impersonation', () => {
  const impersonate = async (
    headers: Record<string, string | string[]>,
    authorizer: Authorizer = ALWAYS_ALLOW,
  ) => {
    const request = requestWithoutSocket('GET', '/api/v1/pods', { headers });
    request.user = authenticatedUser('root', '', []);
    const answer = await chain([errors, requestInfoFilter, impersonateFilter(authorizer)], okay)(request);
    return { answer, user: request.user };
  };

  it('continues as the impersonated user', async () => {
    const { user } = await impersonate({
      'impersonate-user': 'jane',
      'impersonate-uid': 'u',
      'impersonate-extra-acme.com%2fteam': ['x', 'y'],
    });
    expect(user).toEqual({
      name: 'jane',
      uid: 'u',
      groups: ['system:authenticated'],
      extra: { 'acme.com/team': ['x', 'y'] },
    });
  });

  it('adds the groups of service accounts and of anonymous users', async () => {
    const { user } = await impersonate({ 'impersonate-user': 'system:serviceaccount:ns:sa' });
    expect(user.groups).toEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:ns',
      'system:authenticated',
    ]);
    const anonymous = await impersonate({ 'impersonate-user': 'system:anonymous' });
    expect(anonymous.user.groups).toEqual(['system:unauthenticated']);
  });

  it('needs a user', async () => {
    const { answer } = await impersonate({ 'impersonate-user': [], 'impersonate-group': ['g'] });
    expect(JSON.parse(textOf(answer)).message).toBe(
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} ' +
        'without impersonating a user name',
    );
  });

  it('is refused with what the first mode lacks', async () => {
    const asked: string[] = [];
    const authorizer: Authorizer = {
      ...ALWAYS_ALLOW,
      authorize: ({ verb, resource, name }: Attributes) => {
        asked.push(`${verb} ${resource} ${name}`);
        return {
          decision: resource === 'users' && verb === 'impersonate' ? 'allow' : 'no-opinion',
          reason: '',
        };
      },
    };
    const { answer, user } = await impersonate(
      { 'impersonate-user': 'jane', 'impersonate-group': ['g'] },
      authorizer,
    );
    expect(asked).toEqual([
      'impersonate-on:user-info:list pods ',
      'impersonate users jane',
      'impersonate groups g',
    ]);
    expect([answer.status, user.name]).toEqual([403, 'root']);
    expect(JSON.parse(textOf(answer)).message).toBe(
      'pods is forbidden: User "root" cannot impersonate-on:user-info:list resource "pods" in API group "" at the cluster scope',
    );
  });
});

describe('authorization', () => {
  const deny: Authorizer = { ...ALWAYS_ALLOW, authorize: () => ({ decision: 'deny', reason: 'because' }) };
  const asked = async (url: string) => {
    const request = requestWithoutSocket('GET', url);
    request.user = authenticatedUser('jane', '', []);
    const answer = await chain([errors, requestInfoFilter, authorizeFilter(deny, true)], okay)(request);
    return { status: answer.status, message: JSON.parse(textOf(answer)).message };
  };

  it('says who cannot do what, where and why', async () => {
    expect(await asked('/apis/apps/v1/namespaces/a/deployments/d/scale')).toEqual({
      status: 403,
      message:
        'deployments.apps "d" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "a": because',
    });
    expect(await asked('/metrics')).toEqual({
      status: 403,
      message: 'forbidden: User "jane" cannot get path "/metrics": because',
    });
  });
});

describe('limits', () => {
  it('counts a watch until its stream has ended', async () => {
    const watch: StreamBody = { start: () => () => {} };
    const filter = limitFilter({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 1, maxWatches: 1 });
    const ask = () =>
      run([filter], '/api/v1/pods?watch=1', {}, async () => ({ status: 200, headers: {}, body: watch }));
    const first = await ask();
    expect((await ask()).status).toBe(429);
    expect((await run([filter], '/api/v1/pods')).status).toBe(200);
    if (isStreamBody(first.body)) first.body.start(undefined as never)();
    expect((await ask()).status).toBe(200);
  });

  it('releases the slot when a handler fails', async () => {
    const filter = limitFilter({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 1, maxWatches: 1 });
    for (let round = 0; round < 3; round++) {
      const answer = await run([filter], '/api/v1/pods', {}, () =>
        Promise.reject(new ApiError({ code: 418 })),
      );
      expect(answer.status).toBe(418);
    }
  });
});

describe('headers', () => {
  it("keeps the client's own Audit-Id", async () => {
    const answer = await run([finishing(addCommonHeaders)], '/', { headers: { 'audit-id': 'mine' } });
    expect(answer.headers).toMatchObject({ 'audit-id': 'mine', 'cache-control': 'no-cache, private' });
  });

  it('writes warnings, each once, quoted', async () => {
    const answer = await run([finishing(addWarnings)], '/', {}, async (request) => {
      request.warnings.push('use "v1" \\ now', 'second', 'second', 'bad\nline', '');
      return jsonResponse(200, {});
    });
    expect(answer.headers['warning']).toEqual(['299 - "use \\"v1\\" \\\\ now"', '299 - "second"']);
  });

  it('truncates every warning if their total is too long', () => {
    const headers = warningHeaders(Array.from({ length: 40 }, (_, index) => `${index} ${'é'.repeat(300)}`));
    expect(headers.length).toBe(16);
    for (const header of headers) expect([...header].length).toBe(256 + '299 - ""'.length);
    expect(warningHeaders(['x'.repeat(4096)])[0]!.length).toBe(4096 + '299 - ""'.length);
  });
});
