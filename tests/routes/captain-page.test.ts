/** A captain's page, what it tells search engines, and the link that begins the booking form. */
import { describe, expect, it } from "vitest";
import { formatDay } from "#app/model/dates.ts";
import { ASHA, addBlock, addLeave, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

/** The form's controls that the page chooses beforehand, `name=value`. */
function chosenIn(html: string): string[] {
  return [...html.matchAll(/<input[^>]* checked=""[^>]*>/g)].flatMap(([input]) => {
    const [, name] = / name="(counselor|package)"/.exec(input) ?? [];
    const [, value] = / value="([^"]*)"/.exec(input)!;
    return name ? [`${name}=${value}`] : [];
  });
}

/** What is used of schema.org's vocabulary. A property that is an object of its own is a type. */
const VOCABULARY: Record<string, string[]> = {
  Organization: ["name", "url"],
  Person: [
    ...["name", "url", "image", "jobTitle", "description", "knowsLanguage", "knowsAbout"],
    "worksFor",
  ],
  Service: ["name", "url", "serviceType", "areaServed", "provider", "offers"],
  Offer: ["name", "url", "description", "price", "priceCurrency", "availability", "seller"],
};

/** What of a page's structured data the vocabulary does not know. */
function unknownIn(html: string): string[] {
  const [, json] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)!;
  const unknown: string[] = [];
  JSON.parse(json!, (_, node) => {
    const type = node?.["@type"];
    if (type === undefined) return node;
    const names = Object.keys(node).filter((name) => !name.startsWith("@"));
    const wrong = names.filter((name) => !VOCABULARY[type]?.includes(name));
    unknown.push(...wrong.map((name) => `${type}.${name}`));
    return node;
  });
  return unknown;
}

it.each(["/captains/asha", "/captains/rohan", "/"])(
  "what %s tells search engines is in the vocabulary of schema.org",
  async (path) => {
    const { html } = await app.api(path);
    expect(unknownIn(html)).toEqual([]);
  },
);

describe("a captain's page", () => {
  it("says who it is, which languages, what a session costs and when they are free", async () => {
    const { status, html } = await app.api("/captains/asha");
    expect(status).toBe(200);
    expect(html).toMatch(new RegExp(`<h1[^>]*>${ASHA}</h1>`));
    expect(html).toContain("Speaks English, Hindi");
    expect(html).toContain("₹1,533");
    expect(html).toMatch(/Next free times.*9:00 AM/s);
    expect(html).toContain('href="/?counselor=asha&amp;package=45#book"');
    expect(html).not.toContain(ROHAN);
    expect(html).not.toContain("meet.example");
    expect(html).not.toContain("asha@captains.example");
  });

  it("says it to search engines in schema.org's words, without a rating", async () => {
    const { html } = await app.api("/captains/asha");
    const [, json] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)!;
    const graph: Record<string, unknown>[] = JSON.parse(json!)["@graph"];
    const page = `${app.origin}/captains/asha`;
    const [organization, person, service] = graph;
    expect(graph.map((one) => one["@type"])).toEqual(["Organization", "Person", "Service"]);
    expect(organization).toMatchObject({ "@id": `${app.origin}/#organization` });
    expect(person).toMatchObject({
      "@id": `${page}#captain`,
      name: ASHA,
      jobTitle: "Airline captain and training guide",
      image: `${app.origin}/portraits/asha.svg`,
      knowsLanguage: ["English", "Hindi"],
      worksFor: { "@id": organization!["@id"] },
    });
    expect(service).toMatchObject({ provider: { "@id": person!["@id"] }, areaServed: "IN" });
    expect((service as { offers: object[] }).offers).toMatchObject(
      [
        [30, 1179],
        [45, 1533],
        [60, 1769],
      ].map(([minutes, price]) => ({
        "@type": "Offer",
        price,
        priceCurrency: "INR",
        url: `${app.origin}/?counselor=asha&package=${minutes}#book`,
      })),
    );
    expect(json).not.toMatch(/rating|1290/i);
  });

  it("is in the sitemap and led to from the booking page while they can be booked, then 404", async () => {
    const listed = async () => (await app.api("/sitemap.xml")).html.includes("/captains/rohan<");
    const shown = async () => (await app.api("/")).html.includes('href="/captains/rohan"');
    expect([await listed(), await shown()]).toEqual([true, true]);
    app.db.runRaw("UPDATE counselor SET active = 0 WHERE key = 'rohan'");
    expect([await listed(), await shown()]).toEqual([false, false]);
    for (const key of ["rohan", "nobody", "%3Cb%3E"]) {
      const gone = await app.api(`/captains/${key}`);
      expect([gone.status, gone.html.includes("Page Not Found")]).toEqual([404, true]);
      expect(gone.html).toContain('content="noindex"');
    }
    app.db.runRaw("UPDATE counselor SET active = 1 WHERE key = 'rohan'");
  });

  it("says nothing of languages that are not known", async () => {
    app.db.runRaw("UPDATE counselor SET languages = '[]' WHERE key = 'rohan'");
    const { html } = await app.api("/captains/rohan");
    expect(html).not.toContain("Speaks");
    expect(html).not.toContain("knowsLanguage");
  });
});

it("a captain without a free time is sold out, and the page says how to be reached", async () => {
  const shown = async () => {
    const { html } = await app.api("/captains/asha");
    const found = html.matchAll(/schema\.org\/(InStock|SoldOut)/g);
    return { html, stock: [...new Set([...found].map(([, word]) => word))] };
  };
  expect((await shown()).stock).toEqual(["InStock"]);
  addLeave(app.db, "2020-01-01", "2099-12-31", "asha");
  const { html, stock } = await shown();
  expect(stock).toEqual(["SoldOut"]);
  expect(html).toMatch(
    /None at the moment\. If you want a session, please write to <a[^>]* href="mailto:/,
  );
  app.db.runRaw("DELETE FROM leave");
});

it("a time that only a shorter session fits is a next free one, and says so", async () => {
  // Whatever the hour is, the next free times begin tomorrow.
  addLeave(app.db, "2020-01-01", dayAhead(0), "asha");
  addBlock(app.db, "asha", dayAhead(1), "09:30");
  const { words } = await app.api("/captains/asha");
  expect(words).toContain(`9:00 AM ${formatDay(dayAhead(1))} up to 30 minutes`);
  app.db.runRaw("DELETE FROM block");
  app.db.runRaw("DELETE FROM leave");
});

describe("a link to the booking page", () => {
  it.each([
    ["counselor=asha&package=45", [`counselor=${ASHA}`, "package=45"]],
    [
      `package=45&counselor=${encodeURIComponent(ASHA)}&utm_source=x`,
      [`counselor=${ASHA}`, "package=45"],
    ],
    ["counselor=rohan", [`counselor=${ROHAN}`]],
    ["package=60", ["package=60"]],
    ["counselor=nobody&package=0x1e", []],
    ["", []],
  ])("?%s chooses %j", async (query, chosen) => {
    // A second time it comes from what is kept.
    for (const _ of [1, 2]) {
      const { html } = await app.api(`/?${query}`);
      expect(chosenIn(html)).toEqual(chosen);
      expect(html).not.toContain("utm_source");
    }
  });

  it("is kept once however it is written, and another choice apart", async () => {
    const etag = async (query: string) =>
      (await fetch(`${app.origin}/?${query}`)).headers.get("etag");
    const one = await etag("counselor=asha&package=30");
    expect(await etag(`package=30&counselor=${encodeURIComponent(ASHA.toLowerCase())}`)).toBe(one);
    expect(await etag("counselor=asha&package=60")).not.toBe(one);
    expect(await etag("counselor=rohan&package=30")).not.toBe(one);
  });
});
