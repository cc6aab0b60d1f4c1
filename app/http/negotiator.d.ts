/** Only what is used; `@types/negotiator` lacks the option `preferred`. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: { "accept-encoding"?: string | undefined } });
    encoding(available: string[], options: { preferred: string[] }): string | undefined;
  }
}
