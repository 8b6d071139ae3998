extension PostgresServer {
    /// The script that starts and watches the server, for `bash -c`.
    ///
    /// It is not a file, because an installed command has no source folder.
    static let script = #"""
        # Runs a PostgreSQL server with its own data folder and socket while the standard input stays open. If the process that started
        # the server ends in any way, the server stops, and its folder is removed.
        #
        #   serve [standby] [durable] [tls]
        #
        # standby: starts a second server. The first server replicates to it synchronously.
        # durable: turns on fsync, for measurements.
        # tls: the server also listens on a TCP port of 127.0.0.1. Its certificate is for db.example, and its issuer is issuer.pem in
        # the folder.
        #
        # When the server is ready, the script prints its folder and the folder of the programs. With tls, it also prints the port.
        # It prints "missing" if PostgreSQL is not installed. Then it reads commands, one per line, and prints a line for each:
        #   kill      sends SIGKILL to the first server
        #   promote   makes the standby accept writes
        set -euo pipefail
        bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
        [ -n "$bin" ] || bin=$(dirname "$(command -v initdb || echo /nowhere/initdb)")
        for program in initdb postgres pg_isready psql; do
          [ -x "$bin/$program" ] || { echo missing; exit 2; }
        done
        # The server cannot run as root.
        if [ "$(id -u)" = 0 ]; then
          user=postgres
          id -u "$user" >/dev/null 2>&1 || user=nobody
          if command -v setpriv >/dev/null; then
            exec setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups bash -c "$BASH_EXECUTION_STRING" serve "$@"
          fi
          exec runuser -u "$user" -- bash -c "$BASH_EXECUTION_STRING" serve "$@"
        fi
        base=${TMPDIR:-/tmp}
        [ -w "$base" ] || base=/tmp
        # A signal to the whole process group ends the caller, and then the input of this script: it still removes the data.
        trap '' INT TERM HUP
        folder=$(mktemp -d "$base/lockstep-pg-XXXXXX")
        cd "$folder"
        # Only SIGKILL leaves a folder behind: the next server removes those that nobody has locked.
        if command -v flock >/dev/null; then
          exec 9>unlocked
          flock 9
          mv unlocked lock
          for stale in "$base"/lockstep-pg-*; do
            if [ -O "$stale" ] && [ -e "$stale/lock" ] && flock -n "$stale/lock" true; then rm -rf "$stale"; fi
          done
        fi
        declare -A servers=()

        finish() {
          for name in "${!servers[@]}"; do
            kill -QUIT "${servers[$name]}" 2>/dev/null || true
            wait "${servers[$name]}" 2>/dev/null || true
          done
          cd /
          rm -rf "$folder"
        }
        trap finish EXIT

        configure() {  # NAME SETTING...
          local name=$1
          shift
          mkdir "$folder/$name"
          printf '%s\n' "$@" "unix_socket_directories = '$folder/$name'" >>"$folder/$name-data/postgresql.conf"
        }

        start() {  # NAME
          "$bin/postgres" -D "$folder/$1-data" >>"$folder/$1.log" 2>&1 </dev/null &
          servers[$1]=$!
          until "$bin/pg_isready" -q -h "$folder/$1" 2>/dev/null; do
            kill -0 "${servers[$1]}" 2>/dev/null || { cat "$folder/$1.log" >&2; exit 1; }
            sleep 0.02
          done
        }

        ask() { "$bin/psql" -X -q -At -h "$folder/$1" -U lockstep -d postgres -c "$2"; }

        "$bin/initdb" -D first-data -U lockstep -A trust -E UTF8 --locale=C --no-sync --no-instructions >initdb.log 2>&1 || {
          cat initdb.log >&2
          exit 1
        }
        # Two roles need a password; all others sign in without one.
        sed -i '1i local all asks_password,wants_password scram-sha-256' first-data/pg_hba.conf
        cat >>first-data/postgresql.conf <<SETTINGS
        listen_addresses = ''
        max_connections = 300
        shared_buffers = 32MB
        dynamic_shared_memory_type = mmap
        autovacuum = off
        jit = off
        SETTINGS
        [[ " $* " == *" durable "* ]] || echo "fsync = off" >>first-data/postgresql.conf
        if [[ " $* " == *" standby "* ]]; then
          # If a server has never run, a copy of its folder is a base backup.
          cp -a first-data second-data
          touch second-data/standby.signal
          configure second "primary_conninfo = 'host=$folder/first user=lockstep application_name=second'" "hot_standby_feedback = on"
          configure first "synchronous_standby_names = 'second'"
          start first
          start second
          until [ "$(ask first "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" = 1 ]; do sleep 0.02; done
        elif [[ " $* " == *" tls "* ]]; then
          key="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
          # shellcheck disable=SC2086
          openssl req -x509 $key -keyout issuer.key -out issuer.pem -days 2 -subj "/CN=Test issuer" 2>openssl.log &&
            openssl req $key -keyout server.key -out server.csr -subj "/CN=db.example" 2>>openssl.log &&
            openssl x509 -req -in server.csr -CA issuer.pem -CAkey issuer.key -CAcreateserial -days 2 -out server.pem \
              -extfile <(echo "subjectAltName=DNS:db.example") 2>>openssl.log || { cat openssl.log >&2; exit 1; }
          chmod 600 server.key
          for _ in 1 2 3 4 5; do
            port=$((20000 + RANDOM % 12000))
            (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
          done
          configure first "listen_addresses = '127.0.0.1'" "port = $port" "ssl = on" "ssl_cert_file = '$folder/server.pem'" \
            "ssl_key_file = '$folder/server.key'"
          export PGPORT=$port
          start first
        else
          configure first
          start first
        fi
        echo "$folder $bin${port:+ $port}"

        while read -r command; do
          case $command in
            kill)
              # A killed server leaves a segment in shared memory. Only its next start would remove the segment.
              segment=$(sed -n 7p first-data/postmaster.pid | awk '{ print $2 }')
              kill -KILL "${servers[first]}"
              wait "${servers[first]}" 2>/dev/null || true
              unset 'servers[first]'
              ipcrm -m "$segment" 2>/dev/null || true
              echo killed
              ;;
            promote)
              ask second "SELECT pg_promote()" >/dev/null
              echo promoted
              ;;
          esac
        done
        """#
}
