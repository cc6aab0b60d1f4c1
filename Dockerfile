# Every RUN step is a script, and tests/commands/container.test.ts runs it in an empty folder.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/container/install-all.sh scripts/container/
RUN sh scripts/container/install-all.sh
COPY . .
RUN sh scripts/container/build.sh

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/container/install-production.sh scripts/container/
RUN sh scripts/container/install-production.sh

FROM node:24-slim
COPY scripts/container/prepare-data.sh /tmp/
RUN sh /tmp/prepare-data.sh
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/image ./
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_PATH=/data/bookings.db \
    BACKUP_DIR=/data/backups
# The files belong to root, so that the app can change none of them; only /data is its own.
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "scripts/container/healthcheck.mjs"]
# `npm run serve`, without npm between the signal and the server.
CMD ["node", "scripts/serve.mjs"]
