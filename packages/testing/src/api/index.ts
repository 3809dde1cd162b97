// The API server in this process, and a client for any server that cares about the wire.
export {
  type Answer,
  ApiClient,
  type ApiObject,
  type Method,
  type WatchEvent,
} from './api-client.ts';
export { EmbeddedApi } from './embedded-api.ts';
