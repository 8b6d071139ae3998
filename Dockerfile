# The emulators in a container of an ordinary user: docker build -t lockstep . && docker run -p 127.0.0.1:4600-4603:4600-4603 lockstep
# compose.yaml starts it with keys that stay: lockstep init --compose
FROM swift:6.3-bookworm AS build
WORKDIR /source
COPY . .
RUN apt-get update && apt-get install -y --no-install-recommends dpkg-dev
RUN .ci/setup && .ci/dist

FROM debian:bookworm-slim
COPY --from=build /source/.build/dist/*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/* && useradd --create-home lockstep
USER lockstep
WORKDIR /home/lockstep
# The dashboard, then the emulators.
EXPOSE 4600 4601 4602 4603
HEALTHCHECK --interval=5s --timeout=5s --start-period=5s CMD ["lockstep", "wait", "--timeout", "3"]
# Keys are random behind an address that other machines reach; give your own with --env.
ENTRYPOINT ["lockstep"]
CMD ["serve", "--host", "0.0.0.0", "--format", "json"]
