// The API server in this process, and a client for tests of answers on the wire.
export {
  type ApiAnswer,
  ApiClient,
  type ApiObject,
  type HttpMethod,
  type WatchEvent,
} from './api-client.ts';
export { EmbeddedApi } from './embedded-api.ts';
