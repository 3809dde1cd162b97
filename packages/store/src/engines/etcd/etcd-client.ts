// etcd's calls as functions, with retries where they are safe. Knows messages and errors, nothing of stores.
import { type EtcdAddress, type EtcdOptions, readTls } from './address.ts';
import { hadNoEffect, isTransient, storeErrorOf } from './errors.ts';
import type { Call, CallEvents } from './grpc/call.ts';
import { Channel } from './grpc/channel.ts';
import { GRPC, GrpcError } from './grpc/status.ts';
import {
  decodeHeaderOnly,
  decodeRange,
  decodeTxn,
  encodeCompaction,
  encodeRange,
  encodeTxn,
  type RangeRequest,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
} from './messages/kv.ts';
import { decodeLeaseGrant, encodeLeaseGrant } from './messages/lease.ts';
import {
  decodeAuthenticate,
  decodeStatus,
  encodeAuthenticate,
  type StatusResponse,
} from './messages/maintenance.ts';

const PAUSE_MS = 25;
/** How often a read is tried within its time. Lists are read in pages, each of which has this time. */
const ATTEMPTS = 4;
const NOTHING = new Uint8Array(0);

export class EtcdClient {
  readonly #channel: Channel;
  readonly #options: EtcdOptions;
  readonly #timeoutMs: number;
  /** The length of the prefix that is removed from each key. */
  readonly #keyOffset: number;
  #loggingIn: Promise<void> | undefined;
  #closed = false;

  constructor({ endpoints, namespace }: EtcdAddress, options: EtcdOptions) {
    this.#options = options;
    this.#timeoutMs = options.requestTimeoutMs ?? 10_000;
    this.#keyOffset = Buffer.byteLength(namespace);
    this.#channel = new Channel({
      endpoints,
      tls: readTls(options),
      connectTimeoutMs: options.connectTimeoutMs ?? 3_000,
      keepaliveMs: options.keepaliveMs ?? 6_000,
      keepaliveTimeoutMs: options.keepaliveTimeoutMs ?? 3_000,
    });
    // A member that has lost its leader says so immediately, instead of making us wait.
    this.#channel.metadata['hasleader'] = 'true';
  }

  get keyOffset(): number {
    return this.#keyOffset;
  }

  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  async range(request: RangeRequest): Promise<RangeResponse> {
    return decodeRange(await this.#read('/etcdserverpb.KV/Range', encodeRange(request)), this.#keyOffset);
  }

  /**
   * Done once or not at all, unless it fails with `unavailable`: then the outcome is unknown. After
   * `hedgeAfterMs` other requests go to another member, while this one still waits.
   */
  async txn(request: TxnRequest, hedgeAfterMs?: number): Promise<TxnResponse> {
    return decodeTxn(
      await this.#write('/etcdserverpb.KV/Txn', encodeTxn(request), hedgeAfterMs),
      this.#keyOffset,
    );
  }

  async compact(revision: number): Promise<void> {
    decodeHeaderOnly(await this.#read('/etcdserverpb.KV/Compact', encodeCompaction(revision)));
  }

  async grantLease(id: number, ttlSeconds: number): Promise<void> {
    const refused = decodeLeaseGrant(
      await this.#write('/etcdserverpb.Lease/LeaseGrant', encodeLeaseGrant(id, ttlSeconds)),
    );
    if (refused !== '') throw storeErrorOf(new GrpcError(GRPC.unknown, refused));
  }

  async status(): Promise<StatusResponse> {
    return decodeStatus(await this.#read('/etcdserverpb.Maintenance/Status', NOTHING));
  }

  async watch(events: CallEvents): Promise<Call> {
    await this.#login();
    return this.#channel.stream('/etcdserverpb.Watch/Watch', events, this.#timeoutMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#channel.close();
  }

  /** After a change of leader a member may block reads for seconds; another may answer immediately. */
  #read(path: string, message: Uint8Array): Promise<Buffer> {
    return this.#try(path, message, isTransient, this.#timeoutMs / ATTEMPTS);
  }

  /** A write cannot be sent twice, so it waits for its answer. */
  #write(path: string, message: Uint8Array, hedgeAfterMs?: number): Promise<Buffer> {
    return this.#try(path, message, hadNoEffect, this.#timeoutMs, hedgeAfterMs);
  }

  async #try(
    path: string,
    message: Uint8Array,
    mayRepeat: (error: unknown) => boolean,
    attemptMs: number,
    hedgeAfterMs?: number,
  ): Promise<Buffer> {
    const end = Date.now() + this.#timeoutMs;
    for (let pause = PAUSE_MS; ; pause = Math.min(pause * 2, 400)) {
      try {
        await this.#login();
        return await this.#channel.unary(
          path,
          message,
          Math.max(Math.min(end - Date.now(), attemptMs), 1),
          hedgeAfterMs,
        );
      } catch (error) {
        if (isLoggedOut(error)) this.#loggingIn = undefined;
        else if (!mayRepeat(error)) throw storeErrorOf(error);
        if (this.#closed || Date.now() + pause >= end) throw storeErrorOf(error);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /** Only with a name and a password; certificates need no login. */
  #login(): Promise<void> | undefined {
    const { username, password } = this.#options;
    if (username === undefined || password === undefined) return undefined;
    this.#loggingIn ??= this.#authenticate(username, password).catch((error: unknown) => {
      this.#loggingIn = undefined;
      throw error;
    });
    return this.#loggingIn;
  }

  async #authenticate(username: string, password: string): Promise<void> {
    const message = encodeAuthenticate(username, password);
    delete this.#channel.metadata['token'];
    const answer = await this.#channel.unary('/etcdserverpb.Auth/Authenticate', message, this.#timeoutMs);
    this.#channel.metadata['token'] = decodeAuthenticate(answer);
  }
}

/** Tokens expire. */
const isLoggedOut = (error: unknown): boolean =>
  error instanceof GrpcError && /invalid auth token|auth revision/.test(error.message);
