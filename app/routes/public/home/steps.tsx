/** How it works, in three steps along one line. */
const STEPS = [
  {
    title: "Choose",
    text: "Pick a captain, a length and a time. All prices are shown with GST.",
  },
  {
    title: "Pay",
    text: "Pay online through Razorpay. We hold your time while you pay, and send the GST invoice at once.",
  },
  {
    title: "Talk",
    text: "Meet the captain one-on-one, by video or phone. Parents are welcome.",
  },
] as const;

export function Steps() {
  return (
    <section id="how" aria-labelledby="how-title" className="mx-auto max-w-page px-4 pt-14 md:px-6">
      <h2 id="how-title" className="display text-2xl">
        How it works
      </h2>
      <ol className="mt-6 grid gap-6 md:grid-cols-3">
        {STEPS.map((step, index) => (
          <li key={step.title} className="relative flex gap-4 md:block">
            <span className="flex flex-col items-center md:flex-row" aria-hidden="true">
              <span className="display flex size-11 shrink-0 items-center justify-center rounded-full border-2 border-action text-lg text-action">
                {index + 1}
              </span>
              {index < STEPS.length - 1 && (
                <span className="mt-2 h-full border-l-2 border-dashed border-edge md:ml-3 md:mt-0 md:h-0 md:flex-1 md:border-l-0 md:border-t-2" />
              )}
            </span>
            <div className="min-w-0 md:mt-4">
              <h3 className="font-semibold md:text-lg">{step.title}</h3>
              <p className="mt-1 max-w-text text-muted">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
