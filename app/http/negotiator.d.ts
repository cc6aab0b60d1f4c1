/** What we use of it; `@types/negotiator` does not know the option. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: { "accept-encoding"?: string | undefined } });
    encoding(available: string[], options: { preferred: string[] }): string | undefined;
  }
}
