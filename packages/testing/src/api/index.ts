// The API server in this process, and a client for any server that cares about the wire.
export {
  type Access,
  type Answer,
  ApiClient,
  type ApiObject,
  type Method,
  type WatchEvent,
} from './api-client.ts';
export { EmbeddedApi, type EmbeddedApiOptions } from './embedded-api.ts';
