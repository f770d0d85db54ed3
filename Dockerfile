# The program, and the pip by which it installs solvers: docker build -t squall . (docs/install.md)
# Images by their full versions. Pin a digest, too, where a registry can be asked for it: docker buildx imagetools inspect NAME.
FROM rust:1.90.0-slim-bookworm AS build
WORKDIR /squall
COPY . .
RUN cargo build --profile dist --locked --package squall --features full && cp target/dist/squall /usr/local/bin/squall

FROM python:3.12.11-slim-bookworm
COPY --from=build /usr/local/bin/squall /usr/local/bin/squall
# Findings are written to the current folder, solvers to the cache: both can be volumes.
ENV SQUALL_CACHE=/cache
RUN mkdir /cache /work && chmod 777 /cache /work
WORKDIR /work
ENTRYPOINT ["squall"]
CMD ["--help"]
